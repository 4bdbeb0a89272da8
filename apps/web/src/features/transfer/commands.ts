import { Boxes, Braces, Database, FileDown, FileInput, Import, type LucideIcon } from 'lucide-react'
import { type DatabaseType, databaseTypes, databaseTypeTable, spellingsOf } from '@cadmus/model/database-types'
import { exportFormats, type ListedExport } from '@cadmus/model/export-formats'
import { firstTexts } from '@cadmus/model/messages/first-load'
import { currentScope } from '../../api/scope.ts'
import type { Choice } from '../../commands/command.ts'
import { type AppContext, manifestOf, type Named } from '../../commands/context.ts'
import { presetManifest } from '../../commands/preset.ts'
import { registerCommand } from '../../commands/registry.ts'
import { defineDialog, openDialog } from '../../workbench/dialogs.ts'
import { savedFirst } from '../../workbench/leave.ts'
import { openIn, workbench } from '../../workbench/page-workbench.ts'
import type { ChooseManifestDialogProps } from './ChooseManifestDialog.tsx'
import type { ExportDialogProps } from './ExportDialog.tsx'
import type { ImportDialogProps } from './ImportDialog.tsx'

const exportDialog = defineDialog<Omit<ExportDialogProps, 'onClose'>>('export', () =>
  import('./ExportDialog.tsx').then(module => module.ExportDialog),
)
const chooseManifestDialog = defineDialog<Omit<ChooseManifestDialogProps, 'onClose'>>('choose-manifest', () =>
  import('./ChooseManifestDialog.tsx').then(module => module.ChooseManifestDialog),
)
const importDialog = defineDialog<Omit<ImportDialogProps, 'onClose'>>('import', () =>
  import('./ImportDialog.tsx').then(module => module.ImportDialog),
)

export function registerTransferCommands(): void {
  for (const [place, format] of exportFormats.entries()) registerExport(format, place)
  registerImport()
}

const icons: Partial<Record<string, LucideIcon>> = { schema: Database, cdm: Boxes, model: Braces }

function registerExport(format: ListedExport, place: number): void {
  const { id, label, isInToolbar } = format
  const icon = icons[id] ?? FileDown
  registerCommand(
    {
      id: `manifest.export.${id}`,
      label,
      icon,
      submenu: 'Export',
      group: 'transfer',
      visible: ({ target }) => target.kind === 'manifest',
      disabled: ({ target }) => target.kind === 'manifest' && target.isDefault && firstTexts.predefinedExport,
      run: ({ target }) => {
        if (target.kind === 'manifest') void exportAs(format, { id: target.id, name: target.name })
      },
      ...(format.options.includes('databaseType')
        ? { choices: databaseTypes.map(type => ofDatabase(format, type)) }
        : {}),
    },
    ['tree', 'admin'],
    50 + place / 100,
  )
  registerCommand(
    {
      id: `toolbar.export.${id}`,
      label: `Generate ${label}`,
      icon,
      disabled: ({ hasManifests }) => (hasManifests === false ? 'There are no manifests.' : false),
      run: context => generate(format, context),
    },
    isInToolbar ? ['toolbar', 'palette'] : ['palette'],
    30 + place,
  )
}

function ofDatabase(format: ListedExport, type: DatabaseType): Choice<AppContext> {
  const { label } = databaseTypeTable[type]
  return {
    label: `for ${label}`,
    words: [label, ...spellingsOf(type)],
    run: ({ target }) => {
      if (target.kind === 'manifest') void exportAs(format, { id: target.id, name: target.name }, type)
    },
  }
}

function registerImport(): void {
  registerCommand(
    {
      id: 'toolbar.import',
      label: 'Import',
      icon: Import,
      run: async ({ active }) => importInto('manifest', await presetManifest(active)),
    },
    ['toolbar', 'palette'],
    40,
  )
  registerCommand(
    {
      id: 'manifest.importEntity',
      label: 'Import Entity',
      icon: FileInput,
      group: 'transfer',
      visible: ({ target }) => takesEntities(target),
      run: ({ target }) => importInto('entity', manifestOf(target)),
    },
    ['tree', 'admin'],
    55,
  )
}

/** Exports the preselected manifest; without one, asks for a manifest. */
async function generate(format: ListedExport, { active }: AppContext): Promise<void> {
  const preset = await presetManifest(active)
  if (preset) await exportAs(format, preset)
  else
    openDialog(chooseManifestDialog, {
      title: `Generate ${format.label}`,
      onChosen: manifest => void exportAs(format, manifest),
    })
}

async function exportAs(format: ListedExport, manifest: Named, databaseType?: DatabaseType): Promise<void> {
  if (!(await savedFirst(workbench, workbench.getState().tabs, `Export ${format.label}`, firstTexts.exportsSaved)))
    return
  openDialog(exportDialog, { manifest, format, databaseType })
}

function importInto(kind: 'entity' | 'manifest', target: Named | null): void {
  const show = openIn(currentScope())
  openDialog(importDialog, {
    kind,
    ...(target ? { target } : {}),
    onOpen: (opened, id, name) => show({ kind: opened, id, name }),
  })
}

/** A custom manifest, its Entities group, or the Entities group of the Custom workspace. */
function takesEntities(target: AppContext['target']): boolean {
  if (target.kind === 'manifest') return !target.isDefault
  return target.kind === 'group' && target.group === 'entities' && target.workspace === 'custom'
}
