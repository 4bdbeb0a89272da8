import { createStore } from 'zustand/vanilla'
import { currentScope, scopeText } from '../api/scope.ts'
import { workbench } from './page-workbench.ts'

export type Built = { packageId: number; packageName: string }

/** The package of the last finished build, and its scope; null once the full list is shown. */
export const builtStore = createStore<{ built: (Built & { scope: string }) | null }>()(() => ({ built: null }))

/** Shows the package of a finished build under Exported packages in the sidebar. */
export function buildFinished(built: Built): void {
  builtStore.setState({ built: { ...built, scope: scopeText(currentScope()) } })
  workbench.getState().set({ view: 'packages', search: '', sidebarOpen: true })
}
