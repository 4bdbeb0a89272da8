import { messages } from '@cadmus/model/messages'
import { Download, Trash2 } from 'lucide-react'
import type { AppContext } from '../../commands/context.ts'
import {
  deleteEntityAfterQuestion,
  deleteManifestAfterQuestion,
  removeSubManifestAfterQuestion,
} from '../../commands/deletion.ts'
import { exportEntityFile } from '../../commands/export-entity.ts'
import { registerCommand } from '../../commands/registry.ts'

/** What the tree can do without a dialog of its own. */
export function registerNavigatorCommands(): void {
  registerCommand(
    {
      id: 'entity.export',
      label: 'Export Entity',
      icon: Download,
      group: 'entity',
      visible: ({ target }) => target.kind === 'entity',
      run: ({ target }) => (target.kind === 'entity' ? exportEntityFile(target) : undefined),
    },
    ['tree', 'library'],
    60,
  )
  registerCommand(
    {
      id: 'node.delete',
      label: 'Delete',
      icon: Trash2,
      shortcut: 'delete',
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
  const { entity, manifest } = messages.deletedTree
  if (target.kind === 'entity') await deleteEntityAfterQuestion(target, entity)
  else if (target.kind === 'manifest' && target.parent) await removeSubManifestAfterQuestion(target, target.parent)
  else if (target.kind === 'manifest') await deleteManifestAfterQuestion(target, manifest)
}
