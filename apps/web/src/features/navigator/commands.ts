import { firstTexts } from '@cadmus/model/messages/first-load'
import { Download, Trash2 } from 'lucide-react'
import type { AppContext } from '../../commands/context.ts'
import { registerCommand } from '../../commands/registry.ts'
import { notify } from '../../ui/Snackbar.tsx'

export function registerNavigatorCommands(): void {
  registerCommand(
    {
      id: 'entity.export',
      label: 'Export Entity',
      icon: Download,
      group: 'entity',
      visible: ({ target }) => target.kind === 'entity',
      run: ({ target }) => exportNode(target),
    },
    ['tree', 'library', 'admin'],
    60,
  )
  registerCommand(
    {
      id: 'node.delete',
      label: ({ target }) =>
        target.kind === 'entities' ? firstTexts.deleteEntities(target.entities.length) : 'Delete',
      icon: Trash2,
      shortcut: 'delete',
      group: 'delete',
      danger: true,
      visible: ({ target: { kind } }) => kind === 'entity' || kind === 'entities' || kind === 'manifest',
      disabled: ({ target }) => deleteBlockedReason(target),
      run: ({ target }) => removeNode(target),
    },
    ['tree', 'admin'],
    90,
  )
}

function deleteBlockedReason(target: AppContext['target']): string | false {
  if (target.kind === 'manifest') return target.isDefault && !target.parent ? firstTexts.locked.default : false
  if (target.kind === 'entities')
    return target.entities.map(deleteBlockedReason).find(reason => reason !== false) ?? false
  if (target.kind !== 'entity') return false
  if (target.isDefault) return firstTexts.locked.default
  if (target.type === 'TEMPLATE') return firstTexts.locked.template
  return target.type === 'CADMUS' ? firstTexts.locked.external : false
}

/** Loads deletion and export code on first use, to keep it out of the first paint. */
async function removeNode(target: AppContext['target']): Promise<void> {
  const code = await import('../../commands/deletion.ts').catch(reportLoadFailure)
  const { entity, manifest: deleted } = firstTexts.deletedTree
  const unknown = firstTexts.failed.deleteManifestUnknown
  if (target.kind === 'entity') await code?.deleteEntityAfterQuestion(target, entity)
  else if (target.kind === 'entities') await code?.deleteEntitiesAfterQuestion(target.entities, entity)
  else if (target.kind === 'manifest' && target.parent)
    await code?.removeSubManifestsAfterQuestion([target], target.parent)
  else if (target.kind === 'manifest')
    await code?.deleteManifestAfterQuestion(target, { deleted, subManifestDeleted: deleted, unknown })
}

async function exportNode(target: AppContext['target']): Promise<void> {
  const code = await import('../../commands/export-entity.ts').catch(reportLoadFailure)
  if (target.kind === 'entity') await code?.exportEntityFile(target)
}

function reportLoadFailure(): null {
  notify('error', firstTexts.failed.unexpected)
  return null
}
