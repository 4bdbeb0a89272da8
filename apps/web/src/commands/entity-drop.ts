import { firstTexts } from '@cadmus/model/messages/first-load'
import { messageOf } from '../api/error.ts'
import { notify } from '../ui/Snackbar.tsx'

/** The manifest that receives a drop. `locked`: the reason why it accepts nothing. */
export type Receiver = { id: number; name: string; locked: string | false }

/** Row id of an entity in a manifest's list. Ids of tree nodes have the same parts. */
export function memberId(manifest: { id: number }, entity: { id: number }): string {
  return `manifest:${manifest.id}>entity:${entity.id}`
}

/**
 * Whether a dragged row may be dropped on the manifest; a text is the reason why not. Texts and files have no row
 * and are refused.
 */
export function mayDrop(row: string, receiver: Receiver | null): true | string {
  const source = entityIn(row)
  if (!source) return firstTexts.failed.dropEntity
  if (!receiver) return 'Drop entities on a manifest.'
  if (receiver.locked !== false) return receiver.locked
  if (source.manifestId === receiver.id) return `The entity is already in ${receiver.name}.`
  return true
}

/** Adds the entity as an exclusive copy, or says why not. */
export async function dropEntity(row: string, receiver: Receiver | null): Promise<void> {
  const may = mayDrop(row, receiver)
  const source = entityIn(row)
  if (may !== true || !source || !receiver) {
    notify('error', may === true ? firstTexts.failed.dropEntity : may)
    return
  }
  try {
    const [{ addEntities }, { undoAction }] = await Promise.all([import('../api/manifests.ts'), import('./restore.ts')])
    await addEntities(receiver.id, [source.id])
    notify('success', firstTexts.entityDropped, undoAction(receiver.id))
  } catch (error) {
    notify('error', messageOf(error, firstTexts.failed.addEntity))
  }
}

/** The entity of a row and the manifest above it. */
function entityIn(row: string): { id: number; manifestId: number | null } | null {
  const id = /(?:^|>)entity:(\d+)$/.exec(row)?.[1]
  const manifestId = /.*(?:^|>)manifest:(\d+)>/.exec(row)?.[1]
  return id === undefined ? null : { id: Number(id), manifestId: manifestId === undefined ? null : Number(manifestId) }
}
