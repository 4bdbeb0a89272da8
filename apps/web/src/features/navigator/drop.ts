import { messages } from '@cadmus/model/messages'
import { messageOf } from '../../api/error.ts'
import { notify } from '../../ui/Snackbar.tsx'
import type { Target } from '../../commands/context.ts'

/** Whether an entity may be dropped on a node; a text gives the reason against it. */
export function mayDrop(source: Target | undefined, target: Target | undefined): true | string {
  if (source?.kind !== 'entity') return messages.failed.dropEntity
  if (target?.kind !== 'manifest') return 'Drop entities on a manifest.'
  if (target.isDefault) return messages.locked.default
  if (source.manifest?.id === target.id) return `${source.name} is in ${target.name} already.`
  return true
}

/** Adds the entity as an exclusive copy. */
export async function dropEntity(source: Target | undefined, target: Target | undefined): Promise<void> {
  const may = mayDrop(source, target)
  if (may !== true || source?.kind !== 'entity' || target?.kind !== 'manifest') {
    notify('error', may === true ? messages.failed.dropEntity : may)
    return
  }
  try {
    const { addEntities } = await import('../../api/manifests.ts')
    await addEntities(target.id, [source.id])
    notify('success', messages.entityDropped)
  } catch (error) {
    notify('error', messageOf(error, messages.failed.addEntity))
  }
}
