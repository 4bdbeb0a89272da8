import { configurationStore } from './configuration-store.ts'
import { type DraftStep, undoSteps } from './edit-draft.ts'
import { entityStore } from './entity-store.ts'

/** Steps in several drafts as one: what is undone or made again in one draft is in all of them. */
export function linkedStep(label: string, steps: readonly DraftStep[]): DraftStep {
  let isDone = true
  let isFollowing = false
  const canMove = (step: DraftStep) => (isDone ? step.canUndo() : step.canRedo())
  const hasMoved = (step: DraftStep) => (isDone ? step.canRedo() : step.canUndo())
  const move = () => {
    isFollowing = true
    for (const step of steps.filter(canMove)) {
      if (isDone) step.undo()
      else step.redo()
    }
    isDone = !isDone
    isFollowing = false
  }
  const isPresent = () => steps.some(step => step.isPresent())
  const follow = () => {
    if (isFollowing) return
    if (steps.some(hasMoved)) move()
    else if (!isPresent()) for (const leave of leaves.splice(0)) leave()
  }
  const stores = steps.length > 1 ? [entityStore, configurationStore] : []
  const leaves = stores.map(store => store.state.subscribe(follow))
  // Saved in some of its drafts only, it is no longer one step.
  const isWhole = () => new Set(steps.map(step => step.isPresent())).size === 1
  const canUndo = () => isWhole() && steps.every(step => step.canUndo())
  const canRedo = () => steps.every(step => step.canRedo())
  const undo = () => {
    if (!canUndo()) return undefined
    return isPresent() ? move() : undoSteps(steps)
  }
  return { label, canUndo, undo, canRedo, redo: () => canRedo() && move(), isPresent }
}
