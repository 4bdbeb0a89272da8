import { limits } from '@cadmus/model/limits'
import { useStore } from 'zustand'
import { createWorkbench, type Workbench } from './workbench.ts'

/** The one workbench of the page. */
export const workbench = createWorkbench({
  properties: limits.propertiesWidth.default,
  sidebar: limits.sidebarWidth.default,
})

export function useWorkbench<T>(pick: (state: Workbench) => T): T {
  return useStore(workbench, pick)
}
