import { PackageCheck, RotateCw } from 'lucide-react'
import { isPackageDatabase } from '@cadmus/model/database-types'
import { firstTexts } from '@cadmus/model/messages/first-load'
import { currentLicence } from '../../api/licence.ts'
import type { Publication } from '../../api/publications.ts'
import type { AppContext, Named } from '../../commands/context.ts'
import { presetManifest } from '../../commands/preset.ts'
import { registerCommand } from '../../commands/registry.ts'
import { defineDialog, openDialog } from '../../workbench/dialogs.ts'
import { savedFirst } from '../../workbench/leave.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import type { Answers } from './answers.ts'
import type { BlueprintWizardProps } from './BlueprintWizard.tsx'
import type { PublishAgainProps } from './PublishAgain.tsx'

const blueprintWizard = defineDialog<Omit<BlueprintWizardProps, 'onClose'>>('blueprint', () =>
  import('./BlueprintWizard.tsx').then(module => module.BlueprintWizard),
)

const publishAgainDialog = defineDialog<Omit<PublishAgainProps, 'onClose'>>('publish-again', () =>
  import('./PublishAgain.tsx').then(module => module.PublishAgain),
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
  registerBuild()
  registerPublishAgain()
}

/** Run by the manifest's own page alone, which has its button and key. */
function registerBuild(): void {
  registerCommand(
    {
      id: 'manifest.package',
      label: 'Build Package',
      icon: PackageCheck,
      visible: () => false,
      run: ({ target }) => {
        if (target.kind === 'manifest') void open({ id: target.id, name: target.name }, true)
      },
    },
    [],
    49,
  )
}

/** Offered for manifests and packages that were published. */
function registerPublishAgain(): void {
  registerCommand(
    {
      id: 'manifest.publishAgain',
      label: 'Publish Again',
      icon: RotateCw,
      group: 'transfer',
      visible: ({ target, published }) =>
        target.kind === 'manifest' && isPublished(published, ({ manifestId }) => manifestId === target.id),
      run: ({ target }) => {
        if (target.kind === 'manifest') void openAgain({ id: target.id, name: target.name })
      },
    },
    ['tree', 'admin'],
    48.5,
  )
  registerCommand(
    {
      id: 'package.publishAgain',
      label: 'Publish Again',
      fullLabel: 'Publish package again',
      icon: RotateCw,
      visible: ({ target, published }) =>
        target.kind === 'package' && isPublished(published, ({ packageId }) => packageId === target.package.id),
      disabled: ({ target }) =>
        target.kind === 'package' && target.package.manifestId < 1 && 'The manifest was deleted.',
      run: ({ target }) => {
        if (target.kind !== 'package') return
        const { id, manifestId, manifestName } = target.package
        void openAgain({ id: manifestId, name: manifestName }, id)
      },
    },
    ['package', 'card'],
    2.5,
  )
}

function isPublished(published: AppContext['published'], isOwn: (publication: Publication) => boolean): boolean {
  return published?.some(isOwn) ?? false
}

async function openAgain(manifest: Named, packageId?: number): Promise<void> {
  if (!(await savedFirst(workbench, workbench.getState().tabs, 'Publish Again', firstTexts.exportsSaved))) return
  openDialog(publishAgainDialog, {
    manifest,
    ...(packageId === undefined ? {} : { packageId }),
    onSettings: answers => openWizard({ manifest, answers }),
  })
}

/** `isChosen`: the wizard begins after the choice of the manifest. */
async function open(manifest: Named | null, isChosen = false): Promise<void> {
  if (!(await savedFirst(workbench, workbench.getState().tabs, 'Build Package', firstTexts.exportsSaved))) return
  openWizard({ manifest, isChosen })
}

function openWizard(props: { manifest: Named | null; isChosen?: boolean; answers?: Answers }): void {
  openDialog(blueprintWizard, {
    ...props,
    allowed: currentLicence()?.databaseTypes.filter(isPackageDatabase) ?? null,
  })
}
