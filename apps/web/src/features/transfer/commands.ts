import { type DatabaseType, databaseTypes } from '@cadmus/model/database-types'
import { messages } from '@cadmus/model/messages'
import { Database, FileInput, Import } from 'lucide-react'
import { sessionStore } from '../../api/session-store.ts'
import { manifestOf, type AppContext, type Named } from '../../commands/context.ts'
import { registerCommand } from '../../commands/registry.ts'
import { workbench } from '../../workbench/desk.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { savedFirst } from '../../workbench/leave.ts'
import { chooseManifestDialog, exportDialog, importDialog } from './dialogs.ts'

/** Export of a database schema, and import, wherever they are offered. */
export function registerTransferCommands(): void {
  registerExport()
  registerImport()
}

function registerExport(): void {
  registerCommand(
    {
      id: 'manifest.exportSchema',
      label: 'Database Schema',
      icon: Database,
      submenu: 'Export',
      group: 'transfer',
      visible: ({ target }) => target.kind === 'manifest',
      run: ({ target }) => {
        if (target.kind === 'manifest') void exportSchema({ id: target.id, name: target.name })
      },
    },
    ['tree'],
    50,
  )
  registerCommand(
    {
      id: 'toolbar.exportSchema',
      label: 'Generate Database Schema',
      icon: Database,
      disabled: ({ hasManifests }) => (hasManifests === false ? 'There are no manifests.' : false),
      run: context => generate(context),
    },
    ['toolbar', 'palette'],
    30,
  )
}

function registerImport(): void {
  registerCommand(
    { id: 'toolbar.import', label: 'Import', icon: Import, run: () => importInto('manifest', null) },
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
    ['tree'],
    55,
  )
}

async function generate({ active }: AppContext): Promise<void> {
  if (active?.kind === 'manifest') await exportSchema({ id: active.id, name: active.name })
  else
    openDialog(chooseManifestDialog, {
      title: 'Generate Database Schema',
      onChosen: manifest => void exportSchema(manifest),
    })
}

async function exportSchema(manifest: Named): Promise<void> {
  if (!(await savedFirst(workbench, workbench.getState().tabs, 'Export Database Schema', messages.exportsSaved))) return
  openDialog(exportDialog, { manifest, databaseTypes: licensedTypes() })
}

function licensedTypes(): readonly DatabaseType[] {
  return sessionStore.getState().licence?.databaseTypes ?? databaseTypes
}

function importInto(kind: 'entity' | 'manifest', target: Named | null): void {
  openDialog(importDialog, {
    kind,
    ...(target ? { target } : {}),
    onOpen: (opened, id, name) => workbench.getState().open({ kind: opened, id, name }),
  })
}

/** A manifest of one's own, its Entities group, or the Custom workspace's. */
function takesEntities(target: AppContext['target']): boolean {
  if (target.kind === 'manifest') return !target.isDefault
  return target.kind === 'group' && target.group === 'entities' && target.workspace === 'custom'
}
