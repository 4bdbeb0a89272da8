import { defineDialog } from '../../workbench/dialogs.ts'
import type { UploadDialogProps } from './UploadDialog.tsx'

export const uploadDialog = defineDialog<Omit<UploadDialogProps, 'onClose'>>('upload-package', () =>
  import('./UploadDialog.tsx').then(module => module.UploadDialog),
)
