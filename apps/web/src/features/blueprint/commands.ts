import { PackageCheck, RotateCw } from 'lucide-react'
import { isPackageDatabase } from '@cadmus/model/database-types'
import { messages } from '@cadmus/model/messages'
import { currentLicence } from '../../api/licence.ts'
import type { Named } from '../../commands/context.ts'
import { presetManifest } from '../../commands/preset.ts'
import { registerCommand } from '../../commands/registry.ts'
import { defineDialog, openDialog } from '../../workbench/dialogs.ts'
import { savedFirst } from '../../workbench/leave.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import type { BlueprintWizardProps } from './BlueprintWizard.tsx'
import { lastPublished } from './published.ts'

const blueprintWizard = defineDialog<Omit<BlueprintWizardProps, 'onClose'>>('blueprint', () =>
  import('./BlueprintWizard.tsx').then(module => module.BlueprintWizard),
)

/** Shown in the toolbar beside the manifest's exports, and in the palette. */
export function registerBlueprintCommands(): void {
  registerCommand(
    {
      id: 'toolbar.blueprint',
      label: 'Build Package',
      icon: PackageCheck,
      disabled: ({ hasManifests }) => (hasManifests === false ? 'There are no manifests.' : false),
      run: async ({ active }) => open(await presetManifest(active)),
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
  registerPublishAgain()
}

/** Offered for manifests that this browser has published. */
function registerPublishAgain(): void {
  registerCommand(
    {
      id: 'manifest.publishAgain',
      label: 'Publish Again',
      icon: RotateCw,
      group: 'transfer',
      visible: ({ target }) => target.kind === 'manifest' && lastPublished(target.id) !== null,
      run: ({ target }) => {
        if (target.kind === 'manifest') void open({ id: target.id, name: target.name }, true)
      },
    },
    ['tree', 'admin'],
    48.5,
  )
}

async function open(manifest: Named | null, again = false): Promise<void> {
  if (!(await savedFirst(workbench, workbench.getState().tabs, 'Build Package', messages.exportsSaved))) return
  openDialog(blueprintWizard, {
    manifest,
    again,
    allowed: currentLicence()?.databaseTypes.filter(isPackageDatabase) ?? null,
  })
}
