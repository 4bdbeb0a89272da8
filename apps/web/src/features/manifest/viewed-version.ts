import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import { tabIdOf } from '../../workbench/documents.ts'

/** The old version shown; undefined for the latest. */
export function useViewedManifestVersion(id: number): string | undefined {
  return useWorkbench(state => state.shown.get(tabIdOf({ kind: 'manifest', id }))?.version)
}

export function viewManifestVersion(id: number, version: string | undefined): void {
  workbench.getState().show(tabIdOf({ kind: 'manifest', id }), { version })
}
