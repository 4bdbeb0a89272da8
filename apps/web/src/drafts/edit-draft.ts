import { tabIdOf } from '../workbench/documents.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { originOf, type Step } from './moved-steps.ts'
import type { Saved, Seen } from './open-draft.ts'
import { type Editable, openToEdit } from './open-to-edit.ts'
import { type SavedDocument, takeBackSaves } from './save-all.ts'
import { takesSaved, takeStep } from './take-back.ts'

/** A step in the draft of a document, as long as it is the last one, saved or not. */
export type DraftStep = {
  readonly label: string
  readonly canUndo: () => boolean
  /** A promise if the step is saved: its reversal has to be read. */
  readonly undo: () => void | Promise<unknown>
  /** The document, if the step is saved. */
  readonly savedIn?: () => SavedDocument | undefined
  readonly canRedo: () => boolean
  readonly redo: () => void
  /** False once it is saved or dropped: then it is neither undone nor made again. */
  readonly isPresent: () => boolean
}

/** Undoes those steps that still can be: one of a saved move takes back the other one, too. */
export async function undoSteps(steps: readonly DraftStep[]): Promise<void> {
  const saved: SavedDocument[] = []
  for (const step of steps.filter(one => one.canUndo())) {
    const document = step.savedIn?.()
    if (document) saved.push(document)
    else void step.undo()
  }
  if (saved.length > 0) await takeBackSaves(saved)
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
    savedIn: () => (!isLast(draft()?.done) && isLastSaved() ? { kind: store.kind, key } : undefined),
    canRedo: () => isLast(draft()?.undone),
    redo: () => store.dispatch(key, { kind: 'redo' }),
    isPresent: () => {
      const { done = [], undone = [] } = draft() ?? {}
      return [done, undone].some(steps => steps.some(one => originOf(one) === originOf(step)))
    },
  }
}
