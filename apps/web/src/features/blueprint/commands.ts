import { messages } from '@cadmus/model/messages'
import { isDefaultPath } from '@cadmus/model/paths'
import { isPackageDatabase } from '@cadmus/model/package-databases'
import { PackageCheck } from 'lucide-react'
import { currentLicence } from '../../api/licence.ts'
import type { LoadedEntity } from '../../api/entities.ts'
import { keyIn, keys, queryClient } from '../../api/query-client.ts'
import type { AppContext, Named } from '../../commands/context.ts'
import { registerCommand } from '../../commands/registry.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { savedFirst } from '../../workbench/leave.ts'
import { blueprintWizard } from './dialogs.ts'

/** Shown in the toolbar beside the manifest's exports, and in the palette. */
export function registerBlueprintCommands(): void {
  registerCommand(
    {
      id: 'toolbar.blueprint',
      label: 'Build Package',
      icon: PackageCheck,
      disabled: ({ hasManifests }) => (hasManifests === false ? 'There are no manifests.' : false),
      run: ({ active }) => void open(shownManifest(active)),
    },
    ['toolbar', 'palette'],
    31.5,
  )
  registerCommand(
    {
      id: 'manifest.exportPackage',
      label: 'Martini-style package',
      icon: PackageCheck,
      submenu: 'Export',
      group: 'transfer',
      visible: ({ target }) => target.kind === 'manifest',
      run: ({ target }) => {
        if (target.kind === 'manifest') void open({ id: target.id, name: target.name })
      },
    },
    ['tree', 'admin'],
    49,
  )
}

/** The manifest of the active document, if it is not predefined: preselected in the wizard. */
function shownManifest(active: AppContext['active']): Named | null {
  if (active === null || (active.path !== undefined && isDefaultPath(active.path))) return null
  if (active.kind === 'manifest') return { id: active.id, name: active.name }
  if (active.kind === 'entity') return manifestOfEntity(active.id)
  return active.kind === 'configuration' ? { id: active.id, name: active.name.replace(/ Configuration$/, '') } : null
}

/** Read from the cached entity; null if it belongs to no manifest or to several. */
function manifestOfEntity(id: number): Named | null {
  const read = queryClient.getQueriesData<LoadedEntity>({ queryKey: keyIn(keys.entity(id).slice(0, 3)) })
  const [owner = null] = read.flatMap(([, loaded]) => loaded?.entity.targetManifest ?? [])
  return owner
}

async function open(manifest: Named | null): Promise<void> {
  if (!(await savedFirst(workbench, workbench.getState().tabs, 'Build Package', messages.exportsSaved))) return
  openDialog(blueprintWizard, { manifest, allowed: currentLicence()?.databaseTypes.filter(isPackageDatabase) ?? null })
}
