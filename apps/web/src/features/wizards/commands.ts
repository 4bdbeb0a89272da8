import { FolderTree, Package2, Plus, Table2 } from 'lucide-react'
import { manifestOf, type AppContext } from '../../commands/context.ts'
import { registerCommand } from '../../commands/registry.ts'
import { workbench } from '../../workbench/desk.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import type { DocumentKind } from '../../workbench/documents.ts'
import { addEntityDialog, addSubManifestDialog, entityWizard, manifestWizard } from './dialogs.ts'

/** What creates and what puts together. */
export function registerWizardCommands(): void {
  registerNew()
  registerAdd()
}

function registerNew(): void {
  registerCommand(
    {
      id: 'manifest.new',
      label: 'Manifest',
      fullLabel: 'New manifest',
      icon: Package2,
      run: ({ hasManifests }) =>
        openDialog(manifestWizard, { hasManifests: hasManifests ?? false, onCreated: open('manifest') }),
    },
    ['new', 'palette'],
    10,
  )
  registerCommand(
    {
      id: 'entity.new',
      label: 'Entity',
      fullLabel: 'New entity',
      icon: Table2,
      run: () => openDialog(entityWizard, { onCreated: open('entity') }),
    },
    ['new', 'palette'],
    20,
  )
}

function registerAdd(): void {
  registerCommand(
    {
      id: 'manifest.addEntity',
      label: 'Add Entity',
      icon: Plus,
      group: 'add',
      visible: ({ target }) => isOwn(target, 'entities'),
      run: ({ target }) => {
        const manifest = manifestOf(target)
        if (manifest) openDialog(addEntityDialog, { manifest })
        else openDialog(entityWizard, { onCreated: open('entity') })
      },
    },
    ['tree'],
    10,
  )
  registerCommand(
    {
      id: 'manifest.addSubManifest',
      label: 'Add Sub-Manifest',
      icon: FolderTree,
      group: 'add',
      visible: ({ target }) => isOwn(target, 'manifests') && manifestOf(target) !== null,
      run: ({ target }) => {
        const manifest = manifestOf(target)
        if (manifest) openDialog(addSubManifestDialog, { manifest })
      },
    },
    ['tree'],
    20,
  )
}

function open(kind: DocumentKind) {
  return ({ id, name }: { id: number; name: string }) => workbench.getState().open({ kind, id, name })
}

/** A manifest of one's own, or a group of that kind in the Custom workspace. */
function isOwn(target: AppContext['target'], group: 'entities' | 'manifests'): boolean {
  if (target.kind === 'manifest') return !target.isDefault
  return target.kind === 'group' && target.group === group && target.workspace === 'custom'
}
