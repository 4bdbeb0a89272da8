import { setImmediate as nextTurn } from 'node:timers/promises'
import { messages } from '@cadmus/model/messages'
import { unavailable } from '../../errors/api-error.ts'
import { deletionOf } from '../../store/audit-read.ts'
import type { Store, Tx } from '../../store/database.ts'
import { deleteEntityRows } from '../../store/entity-delete.ts'
import { lockEntities } from '../../store/entity-lock.ts'
import { endJob, renewHeldJob, whileHeld, type HeldJob } from '../../store/job.ts'
import { ownedEntities, type OwnedEntity } from '../../store/manifest-delete.ts'
import { removeMemberRows } from '../../store/manifest.ts'
import { clearPendingDeletion, manifestPendingDeletion } from '../../store/pending-deletion.ts'
import { entityEntry } from '../audit.ts'
import { transact, type Change, type Work } from '../change.ts'

const slice = 25

/**
 * Deletes the hidden entities of a deleted manifest, with audit entries, in short transactions that let other requests pass. Another server
 * continues after a crash.
 */
export async function removePendingEntities(
  store: Store,
  organisationId: number,
  job: HeldJob,
  state: 'running' | 'stopping',
): Promise<void> {
  const manifestId = await manifestPendingDeletion(store.of(organisationId), organisationId, job.id)
  if (manifestId === undefined) return
  const { actor, name } = await deletionOf(store.of(organisationId), organisationId, manifestId)
  const change: Change = { store, organisationId, actor, isAdmin: false }
  const describe = (entity: OwnedEntity) => messages.audit.deletedWith(entity.name, name)
  const removed = async (tx: Tx, work: Work) => {
    if (!(await renewHeldJob(tx, store, job, state))) throw unavailable('Another server continues this operation.')
    return removeSlice(tx, work, { store, organisationId, manifestId, describe })
  }
  await whileHeld(store, job, async () => {
    while (await transact(change, slice, removed, job.id)) await nextTurn()
  })
  await store
    .of(organisationId)
    .transaction()
    .execute(async tx => {
      await clearPendingDeletion(tx, organisationId, job.id)
      await endJob(tx, store, job, 'done')
    })
}

type Place = { store: Store; organisationId: number; manifestId: number; describe: (entity: OwnedEntity) => string }

/** Returns whether there may be more. */
async function removeSlice(
  tx: Tx,
  work: Work,
  { store, organisationId, manifestId, describe }: Place,
): Promise<boolean> {
  const manifest = { id: manifestId, organisation_id: organisationId }
  const ids = (await ownedEntities(tx, manifest, slice)).map(({ id }) => id)
  // Waits for saves that began before the entity was hidden.
  await lockEntities(tx, store, organisationId, ids)
  const entities = await ownedEntities(tx, manifest, slice)
  const members = await removeMemberRows(tx, organisationId, manifestId, ids)
  const places = Map.groupBy(members, row => row.entity_id)
  const removed = await deleteEntityRows(tx, organisationId, ids, { areCounted: false })
  for (const entity of entities) {
    work.audit(
      entityEntry(entity, {
        action: 'DELETE',
        description: describe(entity),
        before: entity.content_hash,
        after: null,
        restoration: { ...removed.get(entity.id), members: { put: places.get(entity.id) ?? [], drop: [] } },
      }),
    )
  }
  return entities.length === slice
}
