import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { OnReferences } from '@cadmus/model/detach'
import { mayDeleteManifest } from '@cadmus/model/locks'
import { auditTexts } from '@cadmus/model/messages/audit'
import { folderOf } from '@cadmus/model/paths'
import { unavailable } from '../../errors/api-error.ts'
import { deletionOf } from '../../store/audit-read.ts'
import { adjustEntityCounters } from '../../store/counters.ts'
import type { Tx } from '../../store/database.ts'
import type { Store } from '../../store/store.ts'
import { deleteEntityRows, lockEntities, lockOwnedEntities } from '../../store/entity-delete.ts'
import { endJob, type HeldJob, insertJob, renewHeldJob, whileHeld } from '../../store/job.ts'
import { deleteManifestRows, ownedEntities, type OwnedEntity, parentIds } from '../../store/manifest-delete.ts'
import { removeSubManifest } from '../../store/manifest-members.ts'
import { lockManifest, lockManifestNames, type ManifestRow, removeMemberRows } from '../../store/manifest.ts'
import { clearPendingDeletion, hideEntities, manifestPendingDeletion } from '../../store/pending-deletion.ts'
import type { Restoration } from '../../store/audit.ts'
import { entityEntry, manifestChanged, manifestEntry } from '../audit.ts'
import { type Change, following, transact, type Work } from '../change.ts'
import { removeEntities, unlink } from '../entity/delete-entity.ts'
import { lockedManifest, withinManifestLimit } from './manifest-permission.ts'

/** Limit of entities deleted together with their manifest; more are hidden first and deleted by a job. */
const few = 50

type Deletion = {
  manifestId: number
  onReferences: OnReferences | undefined
  /** The organisation's licence limits. */
  licence: string
}

/** Deletes a manifest with the entities it owns. Manifests that list it, or one of those entities, lose them. */
export async function deleteManifest(change: Change, deletion: Deletion): Promise<void> {
  const { store, organisationId } = change
  const job = { id: await store.ids.one(), holder: randomUUID() }
  const isLarge = await transact(change, 2 * few, (tx, work) => leave(tx, change, work, { ...deletion, job }), job.id)
  if (isLarge) await removePendingEntities(store, organisationId, job, 'running')
}

type DeletionJob = Deletion & { job: HeldJob }

/** The transaction that hides the manifest and its entities. Returns whether entities are still to be deleted. */
async function leave(tx: Tx, change: Change, work: Work, going: DeletionJob): Promise<boolean> {
  const { store, organisationId } = change
  // Locked, so that neither can be added anywhere in between.
  await lockManifestNames(tx, organisationId)
  const manifest = await lockedManifest(tx, organisationId, going.manifestId, mayDeleteManifest)
  const entities = await heldEntities(tx, store, manifest)
  const isLarge = entities.length > few
  const { onReferences, licence, job } = going
  const leaving = { manifest, entities, onReferences, job: isLarge ? job : null }
  await withinManifestLimit(tx, organisationId, licence, () => removeManifest(tx, change, work, leaving))
  return isLarge
}

/** `entities`: its own. `job`: deletes them later; null: they are few and deleted at once. */
type Leaving = {
  manifest: ManifestRow
  entities: readonly OwnedEntity[]
  onReferences: OnReferences | undefined
  job: HeldJob | null
}

/** Deletes a manifest with its entities. Requires the name lock, and locks of the manifest and its entities. */
export async function removeManifest(tx: Tx, change: Change, work: Work, leaving: Leaving): Promise<void> {
  const { manifest, entities, job } = leaving
  const parents = await leaveParents(tx, change, following(work), manifest)
  await leaveEntities(tx, change, work, leaving)
  const staying = new Set(job ? entities.map(({ id }) => id) : [])
  const { subManifests, ...rest } = await deleteManifestRows(tx, change.organisationId, manifest.id, staying)
  const put = [...(subManifests?.put ?? []), ...parents]
  work.audit(
    manifestEntry(manifest, {
      action: 'DELETE',
      description: auditTexts.manifestDeleted(manifest.name),
      before: manifest.content_hash,
      after: null,
      restoration: { ...rest, subManifests: { put, drop: [] } },
    }),
  )
}

/** Deletes few entities at once; many are hidden and deleted by a job. */
async function leaveEntities(
  tx: Tx,
  change: Change,
  work: Work,
  { manifest, entities, onReferences, job }: Leaving,
): Promise<void> {
  const { store, organisationId, actor } = change
  const describe = ({ name }: { name: string }) => auditTexts.deletedWith(name, manifest.name)
  const removal = { entities, withManifest: manifest.id, onReferences, describe }
  if (!job) {
    await removeEntities(tx, change, work, removal)
    return
  }
  await unlink(tx, change, following(work), removal)
  await hide(tx, organisationId, { manifestId: manifest.id, jobId: job.id, entities })
  const place = { organisationId, kind: 'delete' as const, key: String(job.id) }
  await insertJob({ ...store, shared: tx }, { ...place, ...job, userId: actor.userId, state: 'running' })
}

/** Its own entities, locked: concurrent saves have finished. The name lock prevents new ones. */
export async function heldEntities(tx: Tx, store: Store, manifest: ManifestRow): Promise<OwnedEntity[]> {
  await lockOwnedEntities(tx, store, manifest)
  return ownedEntities(tx, manifest)
}

async function hide(
  tx: Tx,
  organisationId: number,
  { entities, ...place }: { manifestId: number; jobId: number; entities: readonly OwnedEntity[] },
): Promise<void> {
  await hideEntities(tx, organisationId, place)
  const folders = entities.map(({ path }) => folderOf(path))
  await adjustEntityCounters(tx, organisationId, folders, -1)
}

type SubManifestRows = NonNullable<Restoration['subManifests']>['put']

/** Returns the manifest's places in its parents. */
async function leaveParents(tx: Tx, change: Change, work: Work, manifest: ManifestRow): Promise<SubManifestRows> {
  const places: SubManifestRows = []
  for (const id of await parentIds(tx, manifest)) {
    const parent = await lockManifest(tx, change.organisationId, id)
    if (parent === undefined) continue
    const changed = await removeSubManifest(tx, parent, manifest.id, change.actor)
    places.push(...(changed.restoration.subManifests?.put ?? []))
    work.audit(manifestChanged(parent, changed, auditTexts.subManifestRemoved(manifest.name, parent.name)))
  }
  return places
}

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
  const describe = (entity: OwnedEntity) => auditTexts.deletedWith(entity.name, name)
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
