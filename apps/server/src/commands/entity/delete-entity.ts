import type { OnReferences } from '@cadmus/model/detach'
import { mayDeleteEntity } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { lockEntities } from '../../store/entity-lock.ts'
import { lockManifestNames } from '../../store/manifest.ts'
import { type Change, transact } from '../change.ts'
import { entityState, requireAllowed, requireEntity } from './entity-state.ts'
import { removeEntities } from './remove-entities.ts'

/**
 * Deletes an entity with its versions and places in manifests. References to it are handled according to
 * `onReferences`.
 */
export async function deleteEntity(change: Change, id: number, onReferences?: OnReferences): Promise<void> {
  const { store, organisationId } = change
  await transact(change, 4, async (tx, work) => {
    await lockManifestNames(tx, organisationId)
    await lockEntities(tx, store, organisationId, [id])
    const entity = await requireEntity(tx, organisationId, id)
    requireAllowed(mayDeleteEntity(entityState(entity)))
    const describe = () => messages.audit.deleted(entity.name)
    await removeEntities(tx, change, work, { entities: [entity], onReferences, describe })
  })
}
