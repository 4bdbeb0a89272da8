import { messages } from '@cadmus/model/messages'
import { historyTexts } from '@cadmus/model/messages/history'
import { useQuery } from '@tanstack/react-query'
import { ListRestart, Redo2, RotateCcw, Save, Undo2 } from 'lucide-react'
import { useMemo } from 'react'
import { whereLogged } from '../api/edit-log.ts'
import type { Command } from '../commands/command.ts'
import { confirm } from '../workbench/confirm.ts'
import { minuteOf } from '../ui/timestamp.ts'
import { tabIdOf } from '../workbench/documents.ts'
import { workbench } from '../workbench/page-workbench.ts'
import type { Draft } from './draft.ts'
import { placeOf, type DraftKey } from './draft-key.ts'
import { openHistory } from './history.ts'
import type { OpenDraft, Saved } from './open-draft.ts'
import type { OpenDrafts } from './open-drafts.ts'
import { noChanges } from './save-all.ts'
import { savedStacks, savedSteps, type SavedStep } from './saved-steps.ts'
import { type Direction, hasUnsavedStep, takesSaved, takeStep } from './take-back.ts'

/** Input of the commands. `typed`: a field holds unapplied text, which Save applies first. */
export type DraftContext<S, C, E> = {
  view: {
    key: DraftKey
    draft: Draft<S, C, E>
    open: OpenDraft<S, C, E>
    locked: string | null
    saveLocked: string | null
  }
  dirty: boolean
  typed: boolean
  /** Undefined while they are read. */
  savedSteps: readonly SavedStep[] | undefined
}

const noSteps: readonly SavedStep[] = []

/** The saved steps of a document, newest first. None of an old version. */
export function useSavedSteps<S extends Saved, C, E>(
  store: OpenDrafts<S, C, E>,
  key: DraftKey,
  { open }: { open: OpenDraft<S, C, E> },
): readonly SavedStep[] | undefined {
  const query = open.state === 'deleted' ? null : store.changes(key)
  const { data, isError } = useQuery(whereLogged(query))
  const steps = useMemo(() => data && savedSteps(data), [data])
  return steps ?? (query === null || isError ? noSteps : undefined)
}

/** The commands Save, Undo, Redo and Discard of a document; Save is also the button beside its name. */
export function draftCommands<S extends Saved, C, E>(store: OpenDrafts<S, C, E>) {
  const save: Command<DraftContext<S, C, E>> = {
    id: `${store.kind}.save`,
    label: 'Save',
    icon: Save,
    shortcut: 'mod+s',
    disabled: ({ view, dirty, typed }) => (dirty || typed ? (view.saveLocked ?? false) : noChanges),
    run: async ({ view }) => {
      // The applied text may equal the stored value.
      if ((store.get(view.key)?.draft.changes ?? 0) === 0) return
      await store.save(view.key)
    },
  }
  const discard: Command<DraftContext<S, C, E>> = {
    id: `${store.kind}.discard`,
    regardless: true,
    label: 'Discard changes',
    icon: RotateCcw,
    // Always visible: otherwise a double click could hit its neighbour.
    disabled: ({ dirty }) => (dirty ? false : noChanges),
    run: ({ view: { key, open } }) =>
      open.state === 'deleted' ? discardDeleted(store, key) : store.dispatch(key, { kind: 'discard' }),
  }
  const history: Command<DraftContext<S, C, E>> = {
    id: `${store.kind}.history`,
    regardless: true,
    label: 'History',
    icon: ListRestart,
    shortcut: 'mod+alt+z',
    disabled: ({ view }) =>
      view.open.state === 'deleted' || !store.changes(view.key) ? historyTexts.noHistory : false,
    run: ({ view }) => openHistory(store, view.key),
  }
  return { save, others: [...stepCommands(store), history, discard] }
}

function stepCommands<S extends Saved, C, E>(store: OpenDrafts<S, C, E>): Command<DraftContext<S, C, E>>[] {
  const command = (direction: Direction, word: string) => ({
    id: `${store.kind}.${direction}`,
    regardless: true,
    label(context: DraftContext<S, C, E>) {
      const name = nameOf(context, direction)
      return name === undefined ? word : `${word}: ${name}`
    },
    disabled: (context: DraftContext<S, C, E>) => stepLocked(context) ?? whyNone(context, direction) ?? false,
    run: async ({ view }: DraftContext<S, C, E>) => void (await takeStep(store, view.key, direction)),
  })
  return [
    { ...command('undo', 'Undo'), icon: Undo2, shortcut: 'mod+z' },
    { ...command('redo', 'Redo'), icon: Redo2, shortcut: 'mod+shift+z', alternatives: ['mod+y'] },
  ]
}

/** Without its draft, a deleted document would have nothing to show. */
function stepLocked({ view: { open, locked } }: { view: { open: { state: string }; locked: string | null } }) {
  return open.state === 'deleted' ? locked : null
}

function savedStep<S, C, E>({ view: { draft }, savedSteps: steps }: DraftContext<S, C, E>, direction: Direction) {
  return steps && savedStacks(steps, draft.done)[direction].at(-1)
}

/** Undefined if there is a step, or if it is not known yet. */
function whyNone<S, C, E>(context: DraftContext<S, C, E>, direction: Direction): string | undefined {
  const { view, savedSteps: steps } = context
  if (hasUnsavedStep(view, direction)) return undefined
  if (!takesSaved(view.open)) return historyTexts.busy
  return steps && !savedStep(context, direction) ? historyTexts.nothing[direction] : undefined
}

/** The step in a label such as 'Undo: Renamed attribute a to b, saved 2026-11-29 10:42'. */
function nameOf<S, C, E>(context: DraftContext<S, C, E>, direction: Direction): string | undefined {
  const { draft } = context.view
  if (hasUnsavedStep(context.view, direction))
    return (direction === 'undo' ? draft.done.at(-1) : (draft.undone.at(-1) ?? draft.done.at(-1)))?.name
  const step = savedStep(context, direction)
  return step && historyTexts.saved(step.description, minuteOf(step.at))
}

/**
 * Asks for confirmation, then discards the draft of a deleted document and closes its tab unless another draft uses it.
 */
export async function discardDeleted<S extends Saved, C, E>(store: OpenDrafts<S, C, E>, key: DraftKey): Promise<void> {
  const open = store.get(key)
  if (!open) return
  const { id, name } = open.draft.saved
  const { discardTitle: title, discard } = messages.deleted
  if (!(await confirm({ title, text: discard(name), confirmLabel: 'Discard', danger: true }))) return
  store.dispatch(key, { kind: 'discard' })
  const tabId = tabIdOf({ kind: store.kind, id }, placeOf(key).scope)
  if (!workbench.getState().drafts.has(tabId)) workbench.getState().closeTabs([tabId])
}
