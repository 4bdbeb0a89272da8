import { FolderTree, Import, Library, Package2, Plus, RefreshCw, Table2 } from 'lucide-react'
import { firstTexts } from '@cadmus/model/messages/first-load'
import { keys, queryClient, refreshStructure } from '../../api/query-client.ts'
import { currentScope, isAdministration } from '../../api/scope.ts'
import { type AppContext, isPredefined, manifestOf, type Named, type Target } from '../../commands/context.ts'
import { presetManifest } from '../../commands/preset.ts'
import { commandById, registerCommand } from '../../commands/registry.ts'
import { notify } from '../../ui/Snackbar.tsx'
import { defineDialog, openDialog } from '../../workbench/dialogs.ts'
import type { DocumentKind } from '../../workbench/documents.ts'
import { openIn, workbench } from '../../workbench/page-workbench.ts'
import type { AddEntityDialogProps } from './AddEntityDialog.tsx'
import type { AddSubManifestDialogProps } from './AddSubManifestDialog.tsx'
import type { EntityWizardProps } from './EntityWizard.tsx'
import type { ManifestWizardProps } from './ManifestWizard.tsx'

type Own<P> = Omit<P, 'onClose'>

const manifestWizard = defineDialog<Own<ManifestWizardProps>>('manifest-wizard', () =>
  import('./ManifestWizard.tsx').then(module => module.ManifestWizard),
)
const entityWizard = defineDialog<Own<EntityWizardProps>>('entity-wizard', () =>
  import('./EntityWizard.tsx').then(module => module.EntityWizard),
)
const addEntityDialog = defineDialog<Own<AddEntityDialogProps>>('add-entity', () =>
  import('./AddEntityDialog.tsx').then(module => module.AddEntityDialog),
)
const addSubManifestDialog = defineDialog<Own<AddSubManifestDialogProps>>('add-sub-manifest', () =>
  import('./AddSubManifestDialog.tsx').then(module => module.AddSubManifestDialog),
)

export function registerWizardCommands(): void {
  registerNew()
  registerAdd()
  registerWorkspace()
  registerLibrary()
}

function registerNew(): void {
  registerCommand(
    {
      id: 'manifest.new',
      label: 'Manifest',
      fullLabel: 'New manifest',
      icon: Package2,
      run: ({ hasManifests, pasted }) => {
        const show = open('manifest')
        openDialog(manifestWizard, {
          hasManifests: hasManifests ?? false,
          isPasted: pasted !== undefined,
          onCreated: manifest =>
            pasted === undefined
              ? show(manifest)
              : void import('../../text/use-text-paste.ts').then(({ setPastedIn }) => {
                  setPastedIn(manifest.id, pasted)
                  show(manifest)
                }),
          onGenerated: name =>
            void import('../../workbench/sections.ts').then(({ goToPackages }) => goToPackages(name)),
        })
      },
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
      run: newEntity,
    },
    ['new', 'palette'],
    20,
  )
}

/** The wizard's manifest step depends on whether there are manifests. */
async function newEntity({ hasManifests, active }: AppContext): Promise<void> {
  if (hasManifests === undefined) return notify('error', firstTexts.failed.workspaceNotLoaded)
  const manifest = await presetManifest(active)
  openDialog(entityWizard, { ...(manifest ? { manifest } : {}), onCreated: open('entity') })
}

/** Menu of the Custom workspace and its Manifests: same as the New menu. */
function registerWorkspace(): void {
  const isRoot = ({ target }: AppContext) => target.kind === 'workspace' && target.workspace === 'custom'
  const hasManifests = ({ target }: AppContext) => isGroupOf(target, 'custom', 'manifests')
  const again = (id: string, context: AppContext) => void commandById(id)?.run(context)
  const commands = [
    ['workspace.newManifest', 'New Manifest', Package2, 'add', 'manifest.new'],
    ['workspace.newEntity', 'New Entity', Table2, 'add', 'entity.new'],
    ['workspace.import', 'Import', Import, 'transfer', 'toolbar.import'],
  ] as const
  for (const [at, [id, label, icon, group, same]] of commands.entries()) {
    const isImport = group === 'transfer'
    const visible = (context: AppContext) =>
      isRoot(context) ||
      (same !== 'entity.new' && hasManifests(context)) ||
      (isImport && context.target.kind === 'organisation')
    const command = { id, label, icon, group, visible, run: again.bind(null, same) }
    registerCommand(command, isImport ? ['tree', 'admin'] : ['tree'], isImport ? 55 : 5 + at)
  }
}

/** The predefined workspace is read-only. */
function registerLibrary(): void {
  registerCommand(
    {
      id: 'workspace.library',
      label: 'Open CDM Library',
      icon: Library,
      group: 'open',
      visible: ({ target }) => isPredefined(target),
      run: () => workbench.getState().set({ view: 'library' }),
    },
    ['tree'],
    5,
  )
  registerCommand(
    {
      id: 'workspace.refresh',
      label: 'Refresh',
      icon: RefreshCw,
      group: 'open',
      visible: ({ target }) => target.kind === 'workspace' || isPredefined(target),
      run: () => {
        refreshStructure()
        void queryClient.invalidateQueries({ queryKey: keys.coreSchema })
      },
    },
    ['tree'],
    7,
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
        if (manifest) openDialog(addEntityDialog, { manifest, ...shownBelow('entity', manifest) })
        else reportNoParent()
      },
    },
    ['tree', 'admin'],
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
        if (manifest) openDialog(addSubManifestDialog, { manifest, ...shownBelow('manifest', manifest) })
      },
    },
    ['tree', 'admin'],
    20,
  )
}

/** Offers the wizard, which lets the user choose a manifest. */
function reportNoParent(): void {
  const run = () => openDialog(entityWizard, { onCreated: open('entity') })
  notify('error', firstTexts.failed.openAddEntity(), { label: 'New Entity', run })
}

function open(kind: DocumentKind) {
  const show = openIn(currentScope())
  return ({ id, name }: { id: number; name: string }) => show({ kind, id, name })
}

/** The administration shows the added document below its manifest. */
function shownBelow(kind: DocumentKind, { id: below }: Named) {
  if (!isAdministration()) return {}
  const show = openIn(currentScope())
  return { onAdded: ({ id, name }: Named) => show({ kind, id, name }, { below }) }
}

/** A custom manifest, or a group of that kind in the Custom workspace. */
function isOwn(target: Target, group: 'entities' | 'manifests'): boolean {
  if (target.kind === 'manifest') return !target.isDefault
  return target.kind === 'group' && target.group === group && target.workspace === 'custom'
}

/** The workspace's own group, not that of a manifest. */
function isGroupOf(target: Target, workspace: 'standard' | 'custom', group: 'entities' | 'manifests'): boolean {
  const isGroup = target.kind === 'group' && target.workspace === workspace && target.manifest === null
  return isGroup && target.group === group
}
