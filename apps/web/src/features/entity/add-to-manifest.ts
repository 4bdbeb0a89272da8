import { workbench } from '../../workbench/desk.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { addToManifestDialog } from './dialogs.ts'

/** The tree and the document offer it; the tree is there before the code of documents is. */
export function addEntityToManifest(entity: { id: number; name: string }): void {
  openDialog(addToManifestDialog, { entity, onAdded: () => workbench.getState().set({ selectedNode: null }) })
}
