import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { Download, Trash2 } from 'lucide-react'
import { deleteEntity, exportEntity } from '../../api/entities.ts'
import { messageOf } from '../../api/error.ts'
import { deleteManifest, manifestParents, removeSubManifest } from '../../api/manifests.ts'
import { registerCommand } from '../../commands/registry.ts'
import type { AppContext } from '../../commands/context.ts'
import { notify } from '../../ui/Snackbar.tsx'
import { confirm } from '../../workbench/confirm.ts'
import { workbench } from '../../workbench/desk.ts'
import { tabIdOf, type DocumentRef } from '../../workbench/documents.ts'

/** What the tree can do without a dialog of its own. */
export function registerNavigatorCommands(): void {
  registerCommand(
    {
      id: 'entity.export',
      label: 'Export Entity',
      icon: Download,
      group: 'entity',
      visible: ({ target }) => target.kind === 'entity',
      run: async ({ target }) => {
        if (target.kind !== 'entity') return
        try {
          notify('success', await exportEntity(target.id))
        } catch (error) {
          notify('error', messages.failed.exportEntity(messageOf(error, messages.failed.unexpected)))
        }
      },
    },
    ['tree', 'library'],
    60,
  )
  registerCommand(
    {
      id: 'node.delete',
      label: 'Delete',
      icon: Trash2,
      group: 'delete',
      danger: true,
      visible: ({ target }) => target.kind === 'entity' || target.kind === 'manifest',
      disabled: ({ target }) => whyNotDelete(target),
      run: ({ target }) => removeNode(target),
    },
    ['tree'],
    90,
  )
}

function whyNotDelete(target: AppContext['target']): string | false {
  if (target.kind === 'manifest') return target.isDefault && !target.parent ? messages.locked.default : false
  if (target.kind !== 'entity') return false
  if (target.isDefault) return messages.locked.default
  if (target.type === 'TEMPLATE') return messages.locked.template
  return target.type === 'CADMUS' ? messages.locked.external : false
}

async function removeNode(target: AppContext['target']): Promise<void> {
  if (target.kind === 'entity') await removeEntity(target)
  else if (target.kind === 'manifest' && target.parent) await removeFromParent(target, target.parent)
  else if (target.kind === 'manifest') await removeManifest(target)
}

async function removeEntity({ id, name }: { id: number; name: string }): Promise<void> {
  const { deleteEntity: text, deleteEntityTitle: title } = messages.confirm
  if (!(await confirm({ title, text, details: [name], confirmLabel: 'Delete', danger: true }))) return
  await attempt(() => deleteEntity(id), messages.deletedTree.entity, messages.failed.deleteEntity, {
    kind: 'entity',
    id,
    name,
  })
}

async function removeFromParent({ id, name }: { id: number; name: string }, parent: { id: number; name: string }) {
  const text = `Do you really want to remove ${name} from ${parent.name}? The manifest itself stays.`
  if (!(await confirm({ title: 'Delete Sub-Manifest', text, confirmLabel: 'Delete', danger: true }))) return
  await attempt(
    () => removeSubManifest(parent.id, id),
    messages.deletedTree.subManifest,
    messages.failed.deleteSubManifest,
    null,
  )
}

async function removeManifest({ id, name }: { id: number; name: string }): Promise<void> {
  const shown = limits.deleteManifestParents
  const parents = await manifestParents(id, shown).catch(() => ({ manifests: [], totalElements: 0 }))
  const names = parents.manifests.map(parent => parent.name)
  const details =
    names.length === 0
      ? [name]
      : [
          `${name} is a sub-manifest of:`,
          ...names,
          ...(parents.totalElements > shown ? [messages.confirm.andMore] : []),
        ]
  const question = {
    title: 'Delete Manifest',
    text: messages.confirm.deleteManifest,
    details,
    confirmLabel: 'Delete',
    danger: true,
  }
  if (!(await confirm(question))) return
  await attempt(() => deleteManifest(id), messages.deletedTree.manifest, messages.failed.deleteManifest, {
    kind: 'manifest',
    id,
    name,
  })
}

/** After it worked the choice is cleared and the document closed; its unsaved changes are gone with it. */
async function attempt(
  work: () => Promise<void>,
  success: string,
  failure: string,
  document: DocumentRef | null,
): Promise<void> {
  try {
    await work()
    workbench.getState().set({ selectedNode: null })
    if (document) workbench.getState().closeTabs([tabIdOf(document)])
    notify('success', success)
  } catch (error) {
    const words = messageOf(error, '')
    notify('error', words === '' ? failure : `${failure}: ${words}`)
  }
}
