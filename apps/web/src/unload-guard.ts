import { isAdministration } from './api/scope.ts'
import { hasUnstoredDrafts } from './api/stored-drafts.ts'
import { isEntered } from './ui/entered.ts'
import { applyTyped, isTyped } from './ui/typed-text.ts'
import { workbench } from './workbench/page-workbench.ts'
import { allTabs, dirtyTabs } from './workbench/workbench.ts'

/**
 * Asks for confirmation before unload if unsaved changes cannot be stored, in the administration always. Returns a
 * cleanup function.
 */
export function guardUnload(): () => void {
  const beforeUnload = (event: BeforeUnloadEvent) => {
    const [typed, storedText] = [isTyped({ isStored: false }), isTyped({ isStored: true })]
    // Apply typed text so that it is stored: the browser's confirmation leaves enough time.
    if (typed || storedText) void applyTyped()
    const state = workbench.getState()
    const isUnstored = hasUnstoredDrafts() && (storedText || dirtyTabs(state, allTabs(state)).length > 0)
    if (typed || isEntered() || isUnstored || (isAdministration() && dirtyTabs(state).length > 0))
      event.preventDefault()
  }
  addEventListener('beforeunload', beforeUnload)
  return () => removeEventListener('beforeunload', beforeUnload)
}
