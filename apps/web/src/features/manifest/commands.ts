import { PencilLine } from 'lucide-react'
import { registerCommand } from '../../commands/registry.ts'
import { defineDialog, openDialog } from '../../workbench/dialogs.ts'
import type { RenameManifestDialogProps } from './RenameManifestDialog.tsx'

const renameManifestDialog = defineDialog<Omit<RenameManifestDialogProps, 'onClose'>>('rename-manifest', () =>
  import('./RenameManifestDialog.tsx').then(module => module.RenameManifestDialog),
)

/** Dialog commands of the tree; the document's toolbar runs them for its manifest. */
export function registerManifestCommands(): void {
  registerCommand(
    {
      id: 'manifest.rename',
      label: 'Rename',
      icon: PencilLine,
      shortcut: 'f2',
      group: 'delete',
      visible: ({ target }) => target.kind === 'manifest' && !target.isDefault,
      run: ({ target }) => {
        if (target.kind === 'manifest') openDialog(renameManifestDialog, { manifest: target })
      },
    },
    ['tree', 'admin'],
    85,
  )
}
