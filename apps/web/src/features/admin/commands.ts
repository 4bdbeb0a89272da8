import { defaults } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { entityName, manifestName } from '@cadmus/model/rules/names'
import { Package2, RefreshCw, Table2 } from 'lucide-react'
import { currentScope } from '../../api/scope.ts'
import { isPredefined, type AppContext } from '../../commands/context.ts'
import { registerCommand } from '../../commands/registry.ts'
import { openIn } from '../../workbench/page-workbench.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { nameDialog, refreshStructureDialog } from './dialogs.ts'

/** Registers the commands of the administration when it is first shown. */
export function registerAdminCommands(): void {
  registerCreateEntity()
  registerCreateManifest()
  registerCommand(
    {
      id: 'admin.refreshStructure',
      label: 'Refresh Structure',
      icon: RefreshCw,
      group: 'structure',
      visible: ({ target }) => isPredefined(target),
      run: () => openDialog(refreshStructureDialog, {}),
    },
    ['admin'],
    95,
  )
}

function registerCreateEntity(): void {
  registerCommand(
    {
      id: 'admin.createEntity',
      label: 'Create Global Entity',
      icon: Table2,
      group: 'create',
      visible: context => isOfOrganisation(context, 'entities'),
      run: () => {
        const scope = currentScope()
        const { organisation: org } = scope
        const show = openIn(scope)
        openDialog(nameDialog, {
          title: 'Create Global Entity',
          location: org,
          initial: defaults.entityName,
          rule: entityName,
          create: async name => (await calls()).createGlobalEntity(org, name),
          created: messages.entityCreated,
          failed: messages.failed.createEntity,
          onCreated: created => show({ kind: 'entity', ...created }),
        })
      },
    },
    ['admin'],
    1,
  )
}

function registerCreateManifest(): void {
  registerCommand(
    {
      id: 'admin.createManifest',
      label: 'Create Manifest',
      icon: Package2,
      group: 'create',
      visible: context => isOfOrganisation(context, 'manifests'),
      run: () => {
        const scope = currentScope()
        const { organisation: org } = scope
        const show = openIn(scope)
        openDialog(nameDialog, {
          title: 'Create Manifest',
          location: org,
          initial: defaults.manifestName,
          rule: manifestName,
          create: async name => (await calls()).createEmptyManifest(org, name),
          created: messages.manifestCreated,
          failed: messages.failed.createManifest,
          onCreated: created => show({ kind: 'manifest', ...created }),
        })
      },
    },
    ['admin'],
    2,
  )
}

/** Loaded on demand: keeps the contract schemas out of the first screen. */
function calls() {
  return import('../../api/administration.ts')
}

/** Whether the target is an organisation or its node for `group`. */
function isOfOrganisation({ target }: AppContext, group: 'entities' | 'manifests'): boolean {
  if (target.kind === 'organisation') return true
  return target.kind === 'group' && target.group === group && target.workspace === 'custom' && target.manifest === null
}
