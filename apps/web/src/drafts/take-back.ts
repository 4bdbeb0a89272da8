import { historyTexts } from '@cadmus/model/messages/history'
import { messageOf } from '../api/error.ts'
import { queryClient } from '../api/query-client.ts'
import { notify } from '../ui/notices.ts'
import { minuteOf } from '../ui/timestamp.ts'
import { confirm } from '../workbench/confirm.ts'
import type { Place } from './draft-adapter.ts'
import { type DraftKey, draftKey } from './draft-key.ts'
import { type Editable, openToEdit } from './open-to-edit.ts'
import { beforeSaves } from './in-turn.ts'
import { isOfSaved } from './moved-steps.ts'
import { asOneMove } from './moving.ts'
import { isSaving, type OpenDraft, type Saved } from './open-draft.ts'
import type { OpenDrafts } from './open-drafts.ts'
import {
  type LoggedStates,
  reversalOf,
  reversed,
  savedStacks,
  savedSteps,
  type SavedStep,
  type States,
} from './saved-steps.ts'

export type Direction = 'undo' | 'redo'

/** Whether Undo or Redo concerns a step that is not saved; otherwise it goes on with the saved changes. */
export function hasUnsavedStep<S, C, E>({ draft }: Pick<OpenDraft<S, C, E>, 'draft'>, direction: Direction): boolean {
  const last = draft.done.at(-1)
  if (direction === 'undo') return last !== undefined && !isOfSaved(last)
  return draft.undone.length > 0 || isOfSaved(last)
}

/** Saved changes are taken back from a state that the server has. */
export function takesSaved<S, C, E>(open: OpenDraft<S, C, E>): boolean {
  return (open.state === 'clean' || open.state === 'dirty') && !isSaving(open)
}

/** The next saved step of a document, read before. */
export type KnownStep<C> = { step: SavedStep; states: LoggedStates<C> }

const running = new Map<string, Promise<unknown>>()

/** Runs one after the other, because the log may have to be read first. False if nothing was taken back. */
export async function takeStep<S extends Saved, C, E>(
  store: OpenDrafts<S, C, E>,
  key: DraftKey,
  direction: Direction,
  known?: KnownStep<C>,
): Promise<boolean> {
  const open = store.get(key)
  const at = store.storageKey(key)
  const before = running.get(at)
  if (!open) return false
  if (!before && hasUnsavedStep(open, direction)) {
    store.dispatch(key, { kind: direction })
    return true
  }
  const next = (before ?? Promise.resolve())
    .then(() => takeNext(store, key, direction, known))
    .catch((failure: unknown) => {
      notify('error', messageOf(failure, historyTexts.failed))
      return false
    })
  running.set(at, next)
  const isTaken = await beforeSaves(next)
  if (running.get(at) === next) running.delete(at)
  return isTaken
}

/**
 * Prepares to take a saved step of a document, open or not; false if it has unsaved steps, or the user has to be asked. Steps of many documents
 * are read first and taken at once, so that nothing is drawn or checked between them.
 */
export async function preparedStep<S extends Saved, C, E>(
  editable: Editable<S, C, E>,
  direction: Direction,
  { step, states }: KnownStep<C>,
): Promise<() => boolean> {
  const { store, saved } = editable
  const key = draftKey(saved.id, undefined)
  const others = await store.together(key, states, direction)
  return () => {
    const open = store.get(key)
    const { adapter } = store.drafts
    if (open && (hasUnsavedStep(open, direction) || !takesSaved(open) || running.has(store.storageKey(key))))
      return false
    const content = open?.draft.content ?? adapter.contentOf(saved)
    if (reversed(adapter, states, content).conflicts.length > 0) return false
    openToEdit(editable, { hidden: true })
    asOneMove(() => {
      derive(store, key, direction, { ...step, states })
      for (const take of others) take()
    })
    return true
  }
}

/** Takes back the last own save, which may have been an undo itself. False if it is not of the action `run`. */
export async function takeLastSave<S extends Saved, C, E>(
  store: OpenDrafts<S, C, E>,
  key: DraftKey,
  run: string | null | undefined,
  known?: KnownStep<C>,
): Promise<boolean> {
  const last = known?.step ?? (await lastOwnStep(store, key))
  return isOfRun(last, run) && takeStep(store, key, directionBack(last), known)
}

/** Whether a saved step is of an action, if the action is known. */
export function isOfRun(step: SavedStep | undefined, run: string | null | undefined): boolean {
  return run === undefined || step?.run === run
}

/** What takes a saved step back, which may take back an earlier one itself. */
export function directionBack(step: SavedStep | undefined): Direction {
  return step?.cause?.kind === 'undo' ? 'redo' : 'undo'
}

async function lastOwnStep<S extends Saved, C, E>(store: OpenDrafts<S, C, E>, key: DraftKey) {
  const changes = store.changes(key)
  const steps = changes ? savedSteps(await queryClient.fetchQuery(changes)) : []
  return steps.find(({ own, follows, isEdit }) => own && !follows && isEdit)
}

async function takeNext<S extends Saved, C, E>(
  store: OpenDrafts<S, C, E>,
  key: DraftKey,
  direction: Direction,
  known?: KnownStep<C>,
): Promise<boolean> {
  const open = store.get(key)
  if (!open) return false
  if (hasUnsavedStep(open, direction)) {
    store.dispatch(key, { kind: direction })
    return true
  }
  const changes = store.changes(key)
  if (!takesSaved(open) || !changes) return false
  if (known) return takeSaved(store, key, direction, known.step, known.states)
  const steps = savedSteps(await queryClient.fetchQuery(changes))
  const step = savedStacks(steps, open.draft.done)[direction].at(-1)
  if (step) return takeSaved(store, key, direction, step)
  notify('info', historyTexts.nothing[direction])
  return false
}

/** Goes on until the step is reached, or one is refused. */
export async function goTo<S extends Saved, C, E>(
  store: OpenDrafts<S, C, E>,
  key: DraftKey,
  direction: Direction,
  isReached: () => boolean,
): Promise<void> {
  try {
    while (!isReached()) if (!(await takeNext(store, key, direction))) return
  } catch (failure) {
    notify('error', messageOf(failure, historyTexts.failed))
  }
}

/** Merges the reversal of a saved change into the draft. Fields changed since then keep their values, if the user agrees. */
async function takeSaved<S extends Saved, C, E>(
  store: OpenDrafts<S, C, E>,
  key: DraftKey,
  direction: Direction,
  step: SavedStep,
  known?: LoggedStates<C>,
): Promise<boolean> {
  const states = known ?? (await store.statesOf(key, step))
  const open = store.get(key)
  if (!open) return false
  if (!states) throw new TypeError(historyTexts.stateMissing)
  const { adapter } = store.drafts
  const { content, conflicts } = reversed(adapter, states, open.draft.content)
  const isAll = adapter.compare(open.draft.content, content).count === 0
  if (conflicts.length > 0 && !(await agreesToRest(store, key, step, { places: conflicts, isAll }))) return false
  const others = await store.together(key, states, direction)
  asOneMove(() => {
    derive(store, key, direction, { ...step, states })
    for (const take of others) take()
  })
  return true
}

/** Adds the reversal of a saved change to the draft, as a step. */
export function derive<S extends Saved, C, E>(
  store: OpenDrafts<S, C, E>,
  key: DraftKey,
  direction: Direction,
  { description: name, sequence, states }: { description: string; sequence: number; states: States<C> },
): void {
  store.dispatch(key, {
    kind: 'derive',
    step: { name, cause: { kind: direction, sequence } },
    edits: now => reversalOf(store.drafts.adapter, states, now),
  })
}

/** Names who changed the fields since, and when. */
async function agreesToRest<S extends Saved, C, E>(
  store: OpenDrafts<S, C, E>,
  key: DraftKey,
  { description, at }: SavedStep,
  { places, isAll }: { places: readonly Place[]; isAll: boolean },
): Promise<boolean> {
  const described = await store.describePlaces(key, places)
  const details = described.map(({ words, author }) => {
    if (author === null) return words
    return historyTexts.changedBy(words, author.own ? historyTexts.you : author.who, minuteOf(author.when))
  })
  return confirm({
    title: historyTexts.saved(description, minuteOf(at)),
    text: historyTexts.changedSince,
    details,
    consequences: [isAll ? historyTexts.nothingLeft : historyTexts.keepsTheirs],
    confirmLabel: isAll ? historyTexts.skip : historyTexts.takeRest,
  })
}
