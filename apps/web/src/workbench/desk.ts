import { limits } from '@cadmus/model/limits'
import { useStore } from 'zustand'
import { typedStore } from '../ui/typed-text.ts'
import { createWorkbench, type Workbench } from './workbench.ts'

/** The one workbench of the page. */
export const workbench = createWorkbench({
  properties: limits.propertiesWidth.default,
  sidebar: limits.sidebarWidth.default,
})

// Whoever types into a document means to keep it open: what they typed may still be looked at when the next one is shown.
typedStore.subscribe(({ fields }) => {
  const { active, keep } = workbench.getState()
  if (fields.size > 0 && active !== null) keep(active)
})

export function useWorkbench<T>(pick: (state: Workbench) => T): T {
  return useStore(workbench, pick)
}
