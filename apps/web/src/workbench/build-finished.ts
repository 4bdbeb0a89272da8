import { createStore } from 'zustand/vanilla'
import { workbench } from './desk.ts'

/** A package that a build was taken on for. */
export type Built = { packageId: number; packageName: string }

/** The package whose build was told last; null once somebody wants to see all of them. */
export const builtStore = createStore<{ built: Built | null }>()(() => ({ built: null }))

/** The event of a finished build: the sidebar goes to Exported packages, where this one is the one that is shown. */
export function buildFinished(built: Built): void {
  builtStore.setState({ built })
  workbench.getState().set({ view: 'packages', search: '', sidebarOpen: true })
}
