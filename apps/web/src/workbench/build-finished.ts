import { createStore } from 'zustand/vanilla'
import { workbench } from './page-workbench.ts'

export type Built = { packageId: number; packageName: string }

/** The package of the last finished build; null once the full list is shown. */
export const builtStore = createStore<{ built: Built | null }>()(() => ({ built: null }))

/** Shows the package of a finished build under Exported packages in the sidebar. */
export function buildFinished(built: Built): void {
  builtStore.setState({ built })
  workbench.getState().set({ view: 'packages', search: '', sidebarOpen: true })
}
