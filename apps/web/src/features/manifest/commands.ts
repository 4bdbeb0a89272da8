import { PencilLine } from 'lucide-react'
import { firstTexts } from '@cadmus/model/messages/first-load'
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
  registerCommand(
    {
      id: 'manifest.asText',
      label: firstTexts.showAsText,
      group: 'entity',
      visible: ({ target }) => target.kind === 'manifest',
      run: async ({ target }) => {
        if (target.kind === 'manifest')
          (await import('../../commands/side-panel.ts')).showBeside({ manifest: 'text' }, target)
      },
    },
    ['tree', 'admin'],
    57,
  )
}
