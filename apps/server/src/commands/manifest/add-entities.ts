import { insertMany } from '../entity/insert-many.ts'
import { mayEditManifest } from '@cadmus/model/locks'
import type { MemberType } from '@cadmus/model/manifest'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { messages } from '@cadmus/model/messages'
import { conflict, forbidden } from '../../errors/api-error.ts'
import { entityPartsByIds, resolvedNames } from '../../store/resolved-rows.ts'
import type { Db, Tx } from '../../store/database.ts'
import { type NewEntity, type StoredEntity } from '../../store/entity.ts'
import { lockManifestNames, manifestContent, type ManifestRow, type Member } from '../../store/manifest.ts'
import { appendMembers } from '../../store/manifest-members.ts'
import { manifestChanged, named } from '../audit.ts'
import { idsOf, transact, type Change, type Work } from '../change.ts'
import { checkUnchanged, retryIfSourcesChanged } from './copy-sources.ts'
import { checkNames, currentNames, copiesOf } from './copies.ts'
import { requireEntities } from './require-entities.ts'
import { insertInSlices } from './insert-in-slices.ts'
import { requireManifest, lockedManifest } from './manifest-permission.ts'

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
  work.audit(manifestChanged(manifest, changed, messages.audit.joined(names, manifest.name)))
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
  return ({ content }) => messages.audit.copied(content.name, name)
}

function asMember({ id, path, content }: NewEntity, organisationId: number): Added {
  const member = { entityId: id, organisationId, type: 'EXCLUSIVE' as const }
  return { member, reference: { id, name: content.name, path } }
}
