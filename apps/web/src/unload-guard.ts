import { hasUnstoredDrafts } from './api/stored-drafts.ts'
import { isEntered } from './ui/entered.ts'
import { applyTyped, isTyped } from './ui/typed-text.ts'
import { workbench } from './workbench/page-workbench.ts'
import { dirtyTabs } from './workbench/workbench.ts'

/** Asks for confirmation before unload if unsaved changes cannot be stored. Returns a cleanup function. */
export function guardUnload(): () => void {
  const beforeUnload = (event: BeforeUnloadEvent) => {
    const typed = isTyped()
    // Apply typed text so that it is stored: the browser's confirmation leaves enough time.
    if (typed) void applyTyped()
    if (typed || isEntered() || (dirtyTabs(workbench.getState()).length > 0 && hasUnstoredDrafts()))
      event.preventDefault()
  }
  addEventListener('beforeunload', beforeUnload)
  return () => removeEventListener('beforeunload', beforeUnload)
}
