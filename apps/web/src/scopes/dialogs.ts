import { defineDialog } from '../workbench/dialogs.ts'
import type { RenameScopeDialogProps } from './RenameScopeDialog.tsx'

export const renameScopeDialog = defineDialog<Omit<RenameScopeDialogProps, 'onClose'>>('rename-scope', () =>
  import('./RenameScopeDialog.tsx').then(module => module.RenameScopeDialog),
)
