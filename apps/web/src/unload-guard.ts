import { isUnkept } from './api/kept-drafts.ts'
import { isEntered } from './ui/entered.ts'
import { applyTyped, isTyped } from './ui/typed-text.ts'
import { workbench } from './workbench/desk.ts'
import { dirtyTabs } from './workbench/workbench.ts'

/** Leaving the page asks where the browser could not keep what is unsaved. Answers what ends that. */
export function guardUnload(): () => void {
  const beforeUnload = (event: BeforeUnloadEvent) => {
    const typed = isTyped()
    // It is kept with the other edits; the question gives the browser the time to.
    if (typed) void applyTyped()
    if (typed || isEntered() || (dirtyTabs(workbench.getState()).length > 0 && isUnkept())) event.preventDefault()
  }
  addEventListener('beforeunload', beforeUnload)
  return () => removeEventListener('beforeunload', beforeUnload)
}
