import { limits } from '@cadmus/model/limits'
import { useStore } from 'zustand'
import { typedStore } from '../ui/typed-text.ts'
import { createWorkbench, type Workbench } from './workbench.ts'

export const workbench = createWorkbench({
  properties: limits.propertiesWidth.default,
  sidebar: limits.sidebarWidth.default,
})

// Typing into a previewed document keeps its tab, so that the unapplied text is not lost when the next document
// opens.
typedStore.subscribe(({ fields }) => {
  const { active, keep } = workbench.getState()
  if (fields.size > 0 && active !== null) keep(active)
})

export function useWorkbench<T>(pick: (state: Workbench) => T): T {
  return useStore(workbench, pick)
}
