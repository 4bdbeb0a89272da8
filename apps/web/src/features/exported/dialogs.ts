import { defineDialog } from '../../workbench/dialogs.ts'
import type { BuildDialogProps } from './build/BuildDialog.tsx'
import type { UploadDialogProps } from './UploadDialog.tsx'

export const uploadDialog = defineDialog<Omit<UploadDialogProps, 'onClose'>>('upload-package', () =>
  import('./UploadDialog.tsx').then(module => module.UploadDialog),
)
export const buildDialog = defineDialog<Omit<BuildDialogProps, 'onClose'>>('build-manifest', () =>
  import('./build/BuildDialog.tsx').then(module => module.BuildDialog),
)
