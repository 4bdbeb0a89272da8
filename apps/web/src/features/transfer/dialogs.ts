import { defineDialog } from '../../workbench/dialogs.ts'
import type { ChooseManifestDialogProps } from './ChooseManifestDialog.tsx'
import type { ExportDialogProps } from './ExportDialog.tsx'
import type { FolderExportDialogProps } from './FolderExportDialog.tsx'
import type { ImportDialogProps } from './ImportDialog.tsx'

export const exportDialog = defineDialog<Omit<ExportDialogProps, 'onClose'>>('export-schema', () =>
  import('./ExportDialog.tsx').then(module => module.ExportDialog),
)
export const folderExportDialog = defineDialog<Omit<FolderExportDialogProps, 'onClose'>>('export-folder', () =>
  import('./FolderExportDialog.tsx').then(module => module.FolderExportDialog),
)
export const chooseManifestDialog = defineDialog<Omit<ChooseManifestDialogProps, 'onClose'>>('choose-manifest', () =>
  import('./ChooseManifestDialog.tsx').then(module => module.ChooseManifestDialog),
)
export const importDialog = defineDialog<Omit<ImportDialogProps, 'onClose'>>('import', () =>
  import('./ImportDialog.tsx').then(module => module.ImportDialog),
)
