import { defineDialog } from '../../workbench/dialogs.ts'
import type { LogEntryDialogProps } from './LogEntryDialog.tsx'

export const logEntryDialog = defineDialog<Omit<LogEntryDialogProps, 'onClose'>>('log-entry', () =>
  import('./LogEntryDialog.tsx').then(module => module.LogEntryDialog),
)
