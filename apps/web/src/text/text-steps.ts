import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { type DraftStep, editDraft } from '../drafts/edit-draft.ts'
import { asOneMove } from '../drafts/moving.ts'
import { entityStore } from '../drafts/entity-store.ts'
import { linkedStep } from '../drafts/linked-steps.ts'
import type { SeenEntities, TextSource } from './text-source.ts'

/** The steps made in a text, each over one or several drafts. */
export class TextSteps {
  readonly store: StoreApi<{ done: readonly DraftStep[]; undone: readonly DraftStep[] }> = createStore(() => ({
    done: [],
    undone: [],
  }))

  /** Makes edits in the drafts of their entities, as one step of the user. */
  make(source: TextSource, edits: ReadonlyMap<number, readonly EntityEdit[]>, seen: SeenEntities): void {
    const steps = asOneMove(() =>
      [...edits].flatMap(([id, list]) => {
        const loaded = source.loaded(id)
        if (!loaded) return []
        const { entity: saved, etag } = loaded
        return editDraft({ store: entityStore, saved, etag }, () => list, { seen: seen.get(id) ?? null }) ?? []
      }),
    )
    const [first] = steps
    if (!first) return
    // Undone in one entity alone, an attribute that moved would be in both or in none.
    const step = linkedStep(first.label, steps)
    this.store.setState(({ done }) => ({ done: [...done, step], undone: [] }))
  }

  /** The label of the step that is next; undefined if there is none, or if its drafts were changed since. */
  next(direction: 'undo' | 'redo'): string | undefined {
    const { done, undone } = this.store.getState()
    const step = (direction === 'undo' ? done : undone).at(-1)
    const mayTake = direction === 'undo' ? step?.canUndo() : step?.canRedo()
    return mayTake ? step?.label : undefined
  }

  take(direction: 'undo' | 'redo'): void {
    const { done, undone } = this.store.getState()
    const step = (direction === 'undo' ? done : undone).at(-1)
    if (!step || this.next(direction) === undefined) return
    if (direction === 'undo') this.store.setState({ done: done.slice(0, -1), undone: [...undone, step] })
    else this.store.setState({ done: [...done, step], undone: undone.slice(0, -1) })
    asOneMove(() => (direction === 'undo' ? step.undo() : step.redo()))
  }
}
