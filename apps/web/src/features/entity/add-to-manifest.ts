import { organisationElsewhere } from '../../api/elsewhere.ts'
import { workbench } from '../../workbench/desk.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { addToManifestDialog } from './dialogs.ts'

/** The tree and the document offer it; the tree is there before the code of documents is. */
export function addEntityToManifest(entity: { id: number; name: string }): void {
  openDialog(addToManifestDialog, {
    entity,
    onAdded: manifest => {
      // In the administration what was added is shown where it was added.
      if (organisationElsewhere() === null) workbench.getState().set({ selectedNode: null })
      else workbench.getState().open({ kind: 'entity', ...entity }, { below: manifest.id })
    },
  })
}
