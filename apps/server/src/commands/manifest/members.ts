import type { OnReferences } from '@cadmus/model/detach'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { mayEditManifest, mayRemoveMember } from '@cadmus/model/locks'
import type { MemberType } from '@cadmus/model/manifest'
import { messages } from '@cadmus/model/messages'
import { auditTexts } from '@cadmus/model/messages/audit'
import { subManifest } from '@cadmus/model/rules/sub-manifest'
import { conflict, forbidden, invalid, notFound } from '../../errors/api-error.ts'
import type { Db, Tx } from '../../store/database.ts'
import { lockEntities } from '../../store/entity-delete.ts'
import { entityRowsByIds, type NewEntity, type StoredEntity } from '../../store/entity.ts'
import {
  appendMembers,
  appendSubManifests,
  manifestsAbove,
  removeMembers,
  removeSubManifest as removeFromList,
} from '../../store/manifest-members.ts'
import {
  lockManifestNames,
  manifestById,
  manifestContent,
  type ManifestRow,
  manifestsByIds,
  type Member,
} from '../../store/manifest.ts'
import { entityPartsByIds, resolvedNames } from '../../store/resolved-rows.ts'
import { manifestChanged, named } from '../audit.ts'
import { type Change, idsOf, transact, type Work } from '../change.ts'
import { insertMany } from '../entity/create-entity.ts'
import { removeEntities } from '../entity/delete-entity.ts'
import { checkNames, checkUnchanged, copiesOf, currentNames, insertInSlices, retryIfSourcesChanged } from './copies.ts'
import { lockedManifest, requireManifest, withinManifestLimit } from './manifest-permission.ts'
import { requireEntities } from './manifest-plan.ts'

/** Limit of copies in one transaction. */
const fewCopies = 40

type Addition = { manifestId: number; entityIds: readonly number[]; type: MemberType }

/** Adds entities at the end of a manifest, all or none: EXCLUSIVE copies them, TEMPLATE refers to them in place. */
export async function addEntities(change: Change, addition: Addition): Promise<EntityReference[]> {
  if (addition.type === 'TEMPLATE') requireAdministrator(change)
  return retryIfSourcesChanged(() => add(change, addition))
}

async function add(change: Change, { manifestId, entityIds, type }: Addition): Promise<EntityReference[]> {
  const { organisationId } = change
  // Read before the transaction to keep it short: sources may be large.
  const sources = await requireEntities(change.store.of(organisationId), organisationId, entityIds)
  if (type === 'EXCLUSIVE' && sources.length > fewCopies) return addInSlices(change, manifestId, sources)
  return transact(change, sources.length * 2 + 1, async (tx, work) => {
    if (type === 'TEMPLATE') return addInPlace(tx, change, work, { manifestId, entityIds })
    const manifest = await changedManifest(tx, organisationId, manifestId)
    await refuseTwice(
      tx,
      manifest,
      sources.map(({ name }) => name),
    )
    await checkUnchanged(tx, organisationId, sources)
    return append(tx, change, work, { manifest, added: await insertCopies(tx, change, work, { manifest, sources }) })
  })
}

/** Adds entities in their place, for administrators, within a transaction. */
export async function addInPlace(
  tx: Tx,
  change: Change,
  work: Work,
  { manifestId, entityIds }: Omit<Addition, 'type'>,
): Promise<EntityReference[]> {
  requireAdministrator(change)
  const { organisationId } = change
  const manifest = await changedManifest(tx, organisationId, manifestId)
  const sources = await requireEntities(tx, organisationId, entityIds)
  await refuseTwice(tx, manifest, await currentNames(tx, organisationId, entityIds))
  return append(tx, change, work, { manifest, added: sources.map(inPlace) })
}

/** Locked before references are resolved, so that targets cannot be deleted or renamed in between. */
async function changedManifest(tx: Tx, organisationId: number, manifestId: number): Promise<ManifestRow> {
  await lockManifestNames(tx, organisationId)
  return lockedManifest(tx, organisationId, manifestId, mayEditManifest)
}

function requireAdministrator({ isAdmin }: Change): void {
  if (!isAdmin) throw forbidden('Only administrators can add entities in place (TEMPLATE).')
}

/** Copies many entities, yielding between slices; the copies become visible together. */
async function addInSlices(
  change: Change,
  manifestId: number,
  sources: readonly StoredEntity[],
): Promise<EntityReference[]> {
  const { store, organisationId } = change
  const db = store.of(organisationId)
  const names = sources.map(({ name }) => name)
  // An early check to avoid useless work; repeated under the lock at the end.
  const early = await requireManifest(db, organisationId, manifestId, mayEditManifest)
  await refuseTwice(db, early, names)
  const resolvedModel = await resolvedNames(db, organisationId, [early])
  const copies = await copiesOf(sources, () => early, resolvedModel, idsOf(await store.ids.take(sources.length)))
  const added = copies.map(copy => asMember(copy, organisationId))
  await insertInSlices(change, copies, copiedInto(early), async (tx, work) => {
    await lockManifestNames(tx, organisationId)
    const manifest = await lockedManifest(tx, organisationId, manifestId, mayEditManifest)
    // The copies were stored below the old path.
    if (manifest.path !== early.path) throw conflict(messages.changesTooOften)
    await checkUnchanged(tx, organisationId, sources)
    await refuseTwice(tx, manifest, names)
    await append(tx, change, work, { manifest, added })
  })
  return added.map(({ reference }) => reference)
}

type Added = { member: Member; reference: EntityReference }

/** From here on the entities are the manifest's last members. */
async function append(
  tx: Tx,
  { actor }: Change,
  work: Work,
  { manifest, added }: { manifest: ManifestRow; added: readonly Added[] },
): Promise<EntityReference[]> {
  const members = added.map(({ member }) => member)
  const changed = await appendMembers(tx, manifest, members, actor)
  const references = added.map(({ reference }) => reference)
  const names = named(references.map(({ name }) => name))
  work.audit(manifestChanged(manifest, changed, auditTexts.joined(names, manifest.name)))
  return references
}

/** Refuses entities that are in the list already, also by name. */
async function refuseTwice(tx: Db, manifest: ManifestRow, adding: readonly string[]): Promise<void> {
  const content = await manifestContent(tx, manifest)
  const members = await entityPartsByIds(
    tx,
    manifest.organisation_id,
    content.entities.map(({ id }) => id),
  )
  checkNames(
    adding,
    members.map(({ name }) => name),
    'entityIds',
  )
}

function inPlace({ id, name, path, organisation_id: organisationId }: StoredEntity): Added {
  return { member: { entityId: id, organisationId, type: 'TEMPLATE' }, reference: { id, name, path } }
}

async function insertCopies(
  tx: Tx,
  change: Change,
  work: Work,
  { manifest, sources }: { manifest: ManifestRow; sources: readonly StoredEntity[] },
): Promise<Added[]> {
  const { organisationId } = change
  const resolvedModel = await resolvedNames(tx, organisationId, [manifest])
  const copies = await copiesOf(sources, () => manifest, resolvedModel, work)
  await insertMany(tx, change, work, copies, copiedInto(manifest))
  return copies.map(copy => asMember(copy, organisationId))
}

function copiedInto({ name }: ManifestRow): (copy: NewEntity) => string {
  return ({ content }) => auditTexts.copied(content.name, name)
}

function asMember({ id, path, content }: NewEntity, organisationId: number): Added {
  const member = { entityId: id, organisationId, type: 'EXCLUSIVE' as const }
  return { member, reference: { id, name: content.name, path } }
}

/** Removes an entity from a manifest; deletes it if the manifest owns it. */
export async function removeEntity(
  change: Change,
  member: { manifestId: number; entityId: number },
  onReferences?: OnReferences,
): Promise<void> {
  await transact(change, 3, (tx, work) =>
    removeEntityWithin(tx, change, work, { ...member, handling: () => onReferences }),
  )
}

type MemberRemoval = { manifestId: number; entityId: number; handling: (uid: string) => OnReferences | undefined }

export async function removeEntityWithin(
  tx: Tx,
  change: Change,
  work: Work,
  { manifestId, entityId, handling }: MemberRemoval,
): Promise<void> {
  const { store, organisationId } = change
  // Locked, so that the entity cannot be added elsewhere in between.
  await lockManifestNames(tx, organisationId)
  const manifest = await lockedManifest(tx, organisationId, manifestId, mayRemoveMember)
  await lockEntities(tx, store, organisationId, [entityId])
  const { entities } = await manifestContent(tx, manifest)
  const entity = (await entityRowsByIds(tx, organisationId, [entityId])).get(entityId)
  if (entity === undefined || !entities.some(({ id }) => id === entityId)) throw notFound('The entity')
  if (entity.organisation_id === organisationId && entity.manifest_id === manifest.id) {
    const describe = () => auditTexts.deletedFrom(entity.name, manifest.name)
    return removeEntities(tx, change, work, { entities: [entity], onReferences: handling(entity.uid), describe })
  }
  const changed = await removeMembers(tx, manifest, [entity.id], change.actor)
  return work.audit(manifestChanged(manifest, changed, auditTexts.left(entity.name, manifest.name)))
}

/** Adds sub-manifests, all or none. */
export async function addSubManifests(change: Change, manifestId: number, subIds: readonly number[]): Promise<void> {
  await transact(change, 1, (tx, work) => addSubManifestsWithin(tx, change, work, { manifestId, subIds }))
}

export async function addSubManifestsWithin(
  tx: Tx,
  change: Change,
  work: Work,
  { manifestId, subIds }: { manifestId: number; subIds: readonly number[] },
): Promise<void> {
  const { organisationId } = change
  // Serialised per organisation: two valid additions could close a cycle together.
  await lockManifestNames(tx, organisationId)
  const manifest = await lockedManifest(tx, organisationId, manifestId, mayEditManifest)
  const subs = await requireManifests(tx, organisationId, subIds)
  await refuseCycles(tx, organisationId, manifest, subs)
  const added = subs.map(sub => ({ id: sub.id, organisationId: sub.organisation_id }))
  const changed = await appendSubManifests(tx, manifest, added, change.actor)
  const names = named(subs.map(sub => sub.name))
  work.audit(manifestChanged(manifest, changed, auditTexts.subManifestsAdded(names, manifest.name)))
}

/** Manifests by id in order; 404 for the first missing one. */
export async function requireManifests(
  db: Db,
  organisationId: number,
  manifestIds: readonly number[],
): Promise<ManifestRow[]> {
  const rows = new Map((await manifestsByIds(db, organisationId, [...new Set(manifestIds)])).map(row => [row.id, row]))
  return manifestIds.map(id => {
    const row = rows.get(id)
    if (row === undefined || row.hidden === 1) throw notFound(`The manifest ${id}`)
    return row
  })
}

async function refuseCycles(
  tx: Tx,
  organisationId: number,
  manifest: ManifestRow,
  subs: readonly ManifestRow[],
): Promise<void> {
  // One walk upwards, because walking down from each of them may visit far more.
  const above = new Set((await manifestsAbove(tx, organisationId, [manifest.id])).map(({ id }) => id))
  const listed = new Set((await manifestContent(tx, manifest)).subManifests)
  for (const sub of subs) {
    const problem = subManifest(sub, { parent: manifest, listed, above })
    if (problem !== undefined) throw invalid(problem, [{ path: 'submanifests', message: problem }])
    listed.add(sub.id)
  }
}

type Removal = { manifestId: number; subId: number; licence: string }

/** Removes a sub-manifest from this parent. It is not deleted, and counts towards the limit once it has no parent. */
export async function removeSubManifest(change: Change, removal: Removal): Promise<void> {
  await transact(change, 1, (tx, work) => removeSubManifestWithin(tx, change, work, removal))
}

export async function removeSubManifestWithin(
  tx: Tx,
  change: Change,
  work: Work,
  { manifestId, subId, licence }: Removal,
): Promise<void> {
  const { organisationId } = change
  await lockManifestNames(tx, organisationId)
  const manifest = await lockedManifest(tx, organisationId, manifestId, mayRemoveMember)
  const { subManifests } = await manifestContent(tx, manifest)
  if (!subManifests.includes(subId)) throw notFound('The sub-manifest')
  const sub = await manifestById(tx, organisationId, subId)
  const changed = await withinManifestLimit(tx, organisationId, licence, () =>
    removeFromList(tx, manifest, subId, change.actor),
  )
  const description = auditTexts.subManifestRemoved(sub?.name ?? String(subId), manifest.name)
  work.audit(manifestChanged(manifest, changed, description))
}
