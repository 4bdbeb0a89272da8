import { isAdministration } from '../api/scope.ts'
import { documentKind } from '../workbench/document-kinds.ts'
import { tabIdOf } from '../workbench/documents.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { type DraftKey, draftKey } from './draft-key.ts'
import { originOf, type Step } from './moved-steps.ts'
import type { Saved, Seen } from './open-draft.ts'
import type { OpenDrafts } from './open-drafts.ts'
import { takesSaved, takeStep } from './take-back.ts'

/** A step in the draft of a document, as long as it is the last one, saved or not. */
export type DraftStep = {
  readonly label: string
  readonly canUndo: () => boolean
  /** A promise if the step is saved: its reversal has to be read. */
  readonly undo: () => void | Promise<unknown>
  readonly canRedo: () => boolean
  readonly redo: () => void
  /** False once it is saved or dropped: then it is neither undone nor made again. */
  readonly isPresent: () => boolean
}

/** Undoes those steps that still can be: one of a saved move takes back the other one, too. */
export async function undoSteps(steps: readonly DraftStep[]): Promise<void> {
  for (const step of steps) {
    const saved = step.canUndo() ? step.undo() : undefined
    if (saved) await saved
  }
}

/** A document to edit: the latest version as the server answered it. */
export type Editable<S extends Saved, C, E> = { store: OpenDrafts<S, C, E>; saved: S; etag: string }

/** Loads the code that saves drafts of a kind and marks their tabs; to be awaited before the first edit. */
export async function readyToEdit({ kind }: { kind: Parameters<typeof documentKind>[0] }): Promise<void> {
  await documentKind(kind)?.content()
}

/** Opens a document, in a tab or without one, and returns the key of its draft. */
export function openToEdit<S extends Saved, C, E>(
  { store, saved, etag }: Editable<S, C, E>,
  { hidden = false }: { hidden?: boolean } = {},
): DraftKey {
  const { id, path } = saved
  const { openHidden, openInBackground } = workbench.getState()
  const document = { kind: store.kind, id, name: store.title(saved), path }
  // The administration shows one document at a time, which stays the present one.
  if (hidden || isAdministration()) openHidden(document)
  else openInBackground(document)
  const key = draftKey(id, undefined)
  if (!store.get(key)) store.receive(saved, etag, undefined)
  return key
}

/**
 * Makes one step in the draft of a document, which opens in a tab of its own; null if the edits change nothing. `hidden`: without a tab,
 * as one of many documents. `seen`: the stored state that the edits were begun on.
 */
export function editDraft<S extends Saved, C, E>(
  document: Editable<S, C, E>,
  edits: (content: C) => readonly E[],
  { hidden = false, seen = null }: { hidden?: boolean; seen?: Seen<C> | null } = {},
): DraftStep | null {
  const { store, saved } = document
  const key = openToEdit(document, { hidden })
  const draft = () => store.get(key)?.draft
  const before = draft()?.done.at(-1)
  store.editAbove(key, seen, edits)
  const step = draft()?.done.at(-1)
  if (!step || step === before) {
    workbench.getState().dropHidden(tabIdOf({ kind: store.kind, id: saved.id }))
    return null
  }
  const isLast = (steps: readonly Step<E>[] = []) => {
    const last = steps.at(-1)
    return last !== undefined && originOf(last) === originOf(step)
  }
  /** Saved, without later changes by this page. */
  const isLastSaved = () => {
    const open = store.get(key)
    const isSaved = open?.ownSaves.at(-1)?.steps.has(originOf(step)) === true
    return isSaved && open.draft.done.length === 0 && takesSaved(open) && store.changes(key) !== null
  }
  return {
    label: step.name,
    canUndo: () => isLast(draft()?.done) || isLastSaved(),
    undo: () => (isLast(draft()?.done) ? store.dispatch(key, { kind: 'undo' }) : takeStep(store, key, 'undo')),
    canRedo: () => isLast(draft()?.undone),
    redo: () => store.dispatch(key, { kind: 'redo' }),
    isPresent: () => {
      const { done = [], undone = [] } = draft() ?? {}
      return [done, undone].some(steps => steps.some(one => originOf(one) === originOf(step)))
    },
  }
}
