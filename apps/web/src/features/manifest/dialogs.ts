import { defineDialog } from '../../workbench/dialogs.ts'
import type { RenameManifestDialogProps } from './RenameManifestDialog.tsx'

export const renameManifestDialog = defineDialog<Omit<RenameManifestDialogProps, 'onClose'>>('rename-manifest', () =>
  import('./RenameManifestDialog.tsx').then(module => module.RenameManifestDialog),
)
