import { mayEditManifest } from '@cadmus/model/locks'
import type { MemberType } from '@cadmus/model/manifest'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { messages } from '@cadmus/model/messages'
import { forbidden } from '../../errors/api-error.ts'
import { namesInClosure } from '../../store/closure-rows.ts'
import type { Tx } from '../../store/database.ts'
import { entityRowsByIds, insertEntities, type StoredEntity } from '../../store/entity.ts'
import { updateResolved } from '../../store/entity-reference.ts'
import { lockManifestNames, manifestContent, type ManifestRow, type Member } from '../../store/manifest.ts'
import { appendMembers } from '../../store/manifest-members.ts'
import { manifestChanged, named } from '../audit.ts'
import { transact, type Change, type Work } from '../change.ts'
import { checkNames, namesOfThere, copiesOf, creations, foundEntities } from './copies.ts'
import { lockedManifest } from './may.ts'

type Wanted = { manifestId: number; entityIds: readonly number[]; type: MemberType }

/** Adds entities at the end of a manifest, all or none: EXCLUSIVE copies them, TEMPLATE refers to them in place. */
export async function addEntities(change: Change, { manifestId, entityIds, type }: Wanted): Promise<EntityReference[]> {
  if (type === 'TEMPLATE' && !change.isAdmin) {
    throw forbidden('Only an administrator adds entities in place (TEMPLATE).')
  }
  const { organisationId } = change
  // Read before the transaction, which must stay short: what is copied may be large.
  const sources = await foundEntities(change.store.of(organisationId), organisationId, entityIds)
  return transact(change, sources.length * 2 + 1, async (tx, work) => {
    // Held before what is referred to is looked up: a deletion or a renaming waits, or was before.
    await lockManifestNames(tx, organisationId)
    const manifest = await lockedManifest(tx, organisationId, manifestId, mayEditManifest)
    const isInPlace = type === 'TEMPLATE'
    const adding = isInPlace ? await namesOfThere(tx, organisationId, entityIds) : sources.map(({ name }) => name)
    await refuseTwice(tx, manifest, adding)
    const added = isInPlace ? sources.map(inPlace) : await insertCopies(tx, change, work, { manifest, sources })
    const changed = await appendMembers(
      tx,
      manifest,
      added.map(({ member }) => member),
      change.actor,
    )
    const names = named(added.map(({ reference }) => reference.name))
    work.tell(manifestChanged(manifest, changed, messages.audit.joined(names, manifest.name)))
    return added.map(({ reference }) => reference)
  })
}

type Added = { member: Member; reference: EntityReference }

/** An entity already in the list cannot be added twice, and neither can its namesake. */
async function refuseTwice(tx: Tx, manifest: ManifestRow, adding: readonly string[]): Promise<void> {
  const content = await manifestContent(tx, manifest)
  const members = await entityRowsByIds(
    tx,
    manifest.organisation_id,
    content.entities.map(({ id }) => id),
  )
  checkNames(
    adding,
    [...members.values()].map(({ name }) => name),
    'entityIds',
  )
}

function inPlace({ id, name, path, organisation_id: organisationId }: StoredEntity): Added {
  return { member: { entityId: id, organisationId, type: 'TEMPLATE' }, reference: { id, name, path } }
}

async function insertCopies(
  tx: Tx,
  { organisationId, actor }: Change,
  work: Work,
  { manifest, sources }: { manifest: ManifestRow; sources: readonly StoredEntity[] },
): Promise<Added[]> {
  const closure = await namesInClosure(tx, organisationId, [manifest])
  const copies = copiesOf(sources, () => manifest, closure, work)
  const hashes = await insertEntities(tx, organisationId, copies, actor)
  await updateResolved(
    tx,
    organisationId,
    copies.map(({ id }) => id),
  )
  work.tell(...creations(copies, hashes, ({ content }) => messages.audit.copied(content.name, manifest.name)))
  return copies.map(({ id, path, content }) => ({
    member: { entityId: id, organisationId, type: 'EXCLUSIVE' },
    reference: { id, name: content.name, path },
  }))
}
