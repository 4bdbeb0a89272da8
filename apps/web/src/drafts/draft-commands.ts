import { messages } from '@cadmus/model/messages'
import { Redo2, RotateCcw, Save, Undo2 } from 'lucide-react'
import type { Command } from '../commands/command.ts'
import { confirm } from '../workbench/confirm.ts'
import { tabIdOf } from '../workbench/documents.ts'
import { workbench } from '../workbench/page-workbench.ts'
import type { Draft } from './draft.ts'
import type { Step } from './moved-steps.ts'
import { placeOf, type DraftKey } from './draft-key.ts'
import type { OpenDraft, Saved } from './open-draft.ts'
import type { OpenDrafts } from './open-drafts.ts'

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
      if ((store.get(view.key)?.draft.changes ?? 0) > 0) await store.save(view.key)
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
  return { save, others: [...stepCommands(store), discard] }
}

function stepCommands<S extends Saved, C, E>(store: OpenDrafts<S, C, E>): Command<DraftContext<S, C, E>>[] {
  return [
    {
      id: `${store.kind}.undo`,
      regardless: true,
      label: ({ view }) => named('Undo', view.draft.done.at(-1)),
      icon: Undo2,
      shortcut: 'mod+z',
      disabled: ({ view }) => stepLocked(view) ?? (view.draft.done.length > 0 ? false : 'There is nothing to undo.'),
      run: ({ view }) => store.dispatch(view.key, { kind: 'undo' }),
    },
    {
      id: `${store.kind}.redo`,
      regardless: true,
      label: ({ view }) => named('Redo', view.draft.undone.at(-1)),
      icon: Redo2,
      shortcut: 'mod+shift+z',
      alternatives: ['mod+y'],
      disabled: ({ view }) => stepLocked(view) ?? (view.draft.undone.length > 0 ? false : 'There is nothing to redo.'),
      run: ({ view }) => store.dispatch(view.key, { kind: 'redo' }),
    },
  ]
}

/** Without its draft, a deleted document would have nothing to show. */
function stepLocked({ open, locked }: { open: { state: string }; locked: string | null }): string | null {
  return open.state === 'deleted' ? locked : null
}

const noChanges = 'There are no unsaved changes.'

/** Formats a label such as 'Undo: Renamed attribute a to b'. */
function named(word: string, step: Step<unknown> | undefined): string {
  return step ? `${word}: ${step.name}` : word
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
