import { mayDeleteEntity } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { lockManifestNames } from '../../store/manifest.ts'
import { type Change, transact } from '../change.ts'
import { entityState, requireAllowed, requireEntity } from './entity-state.ts'
import { removeEntities } from './remove-entities.ts'

/** Deletes an entity, its versions and its places in manifests. */
export async function deleteEntity(change: Change, id: number): Promise<void> {
  const { organisationId } = change
  await transact(change, 4, async (tx, work) => {
    await lockManifestNames(tx, organisationId)
    const entity = await requireEntity(tx, organisationId, id)
    requireAllowed(mayDeleteEntity(entityState(entity)))
    await removeEntities(tx, change, work, { entities: [entity], describe: ({ name }) => messages.audit.deleted(name) })
  })
}
