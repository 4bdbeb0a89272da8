import { currentScope, isAdministration } from '../../api/scope.ts'
import { openIn, workbench } from '../../workbench/page-workbench.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { addToManifestDialog } from './dialogs.ts'

/** Separate from the document's code, which the tree does not load. */
export function addEntityToManifest(entity: { id: number; name: string }): void {
  const scope = currentScope()
  openDialog(addToManifestDialog, {
    entity,
    onAdded: manifest => {
      // The administration shows the added entity below its manifest.
      if (isAdministration(scope)) openIn(scope)({ kind: 'entity', ...entity }, { below: manifest.id })
      else workbench.getState().set({ selectedNode: null })
    },
  })
}
