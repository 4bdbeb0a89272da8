import { isAdministration } from '../api/scope.ts'
import { documentKind } from '../workbench/document-kinds.ts'
import { tabIdOf } from '../workbench/documents.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { draftKey } from './draft-key.ts'
import { originOf, type Step } from './moved-steps.ts'
import type { Saved, Seen } from './open-draft.ts'
import type { OpenDrafts } from './open-drafts.ts'

/** A step in the draft of a document, as long as it is the last one. */
export type DraftStep = {
  readonly label: string
  readonly canUndo: () => boolean
  readonly undo: () => void
  readonly canRedo: () => boolean
  readonly redo: () => void
  /** False once it is saved or dropped: then it is neither undone nor made again. */
  readonly isPresent: () => boolean
}

/** A document to edit: the latest version as the server answered it. */
export type Editable<S extends Saved, C, E> = { store: OpenDrafts<S, C, E>; saved: S; etag: string }

/** Loads the code that saves drafts of a kind and marks their tabs; to be awaited before the first edit. */
export async function readyToEdit({ kind }: { kind: Parameters<typeof documentKind>[0] }): Promise<void> {
  await documentKind(kind)?.content()
}

/**
 * Makes one step in the draft of a document, which opens in a tab of its own; null if the edits change nothing. `hidden`: without a tab,
 * as one of many documents. `seen`: the stored state that the edits were begun on.
 */
export function editDraft<S extends Saved, C, E>(
  { store, saved, etag }: Editable<S, C, E>,
  edits: (content: C) => readonly E[],
  { hidden = false, seen = null }: { hidden?: boolean; seen?: Seen<C> | null } = {},
): DraftStep | null {
  const { id, path } = saved
  const { openHidden, openInBackground, dropHidden } = workbench.getState()
  const document = { kind: store.kind, id, name: store.title(saved), path }
  // The administration shows one document at a time, which stays the present one.
  if (hidden || isAdministration()) openHidden(document)
  else openInBackground(document)
  const key = draftKey(id, undefined)
  if (!store.get(key)) store.receive(saved, etag, undefined)
  const draft = () => store.get(key)?.draft
  const before = draft()?.done.at(-1)
  store.editAbove(key, seen, edits)
  const step = draft()?.done.at(-1)
  if (!step || step === before) {
    dropHidden(tabIdOf(document))
    return null
  }
  const isLast = (steps: readonly Step<E>[] = []) => {
    const last = steps.at(-1)
    return last !== undefined && originOf(last) === originOf(step)
  }
  return {
    label: step.name,
    canUndo: () => isLast(draft()?.done),
    undo: () => store.dispatch(key, { kind: 'undo' }),
    canRedo: () => isLast(draft()?.undone),
    redo: () => store.dispatch(key, { kind: 'redo' }),
    isPresent: () => {
      const { done = [], undone = [] } = draft() ?? {}
      return [done, undone].some(steps => steps.some(one => originOf(one) === originOf(step)))
    },
  }
}
