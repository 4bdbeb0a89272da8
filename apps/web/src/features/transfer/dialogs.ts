import { defineDialog } from '../../workbench/dialogs.ts'
import type { ChooseManifestDialogProps } from './ChooseManifestDialog.tsx'
import type { ExportDialogProps } from './ExportDialog.tsx'
import type { ImportDialogProps } from './ImportDialog.tsx'

export const exportDialog = defineDialog<Omit<ExportDialogProps, 'onClose'>>('export', () =>
  import('./ExportDialog.tsx').then(module => module.ExportDialog),
)
export const chooseManifestDialog = defineDialog<Omit<ChooseManifestDialogProps, 'onClose'>>('choose-manifest', () =>
  import('./ChooseManifestDialog.tsx').then(module => module.ChooseManifestDialog),
)
export const importDialog = defineDialog<Omit<ImportDialogProps, 'onClose'>>('import', () =>
  import('./ImportDialog.tsx').then(module => module.ImportDialog),
)
