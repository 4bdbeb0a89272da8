import { mayEditManifest } from '@cadmus/model/locks'
import type { MemberType } from '@cadmus/model/manifest'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { forbidden } from '../../errors/api-error.ts'
import { appendAudit } from '../../store/audit.ts'
import { namesInClosure } from '../../store/closure-rows.ts'
import type { Tx } from '../../store/database.ts'
import { entityRowsByIds, insertEntities, type StoredEntity } from '../../store/entity.ts'
import { updateResolved } from '../../store/entity-reference.ts'
import { lockManifestNames, manifestContent, type ManifestRow, type Member } from '../../store/manifest.ts'
import { appendMembers } from '../../store/manifest-members.ts'
import { transact, type Change, type Ids } from '../change.ts'
import { auditUpdate, named } from './audit.ts'
import { checkNames, checkStillThere, copiesOf, creations, foundEntities } from './copies.ts'
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
  return transact(change, sources.length * 2 + 1, async (tx, ids) => {
    if (type === 'TEMPLATE') await lockManifestNames(tx, organisationId)
    const manifest = await lockedManifest(tx, organisationId, manifestId, mayEditManifest)
    if (type === 'TEMPLATE') await checkStillThere(tx, organisationId, entityIds)
    await refuseTwice(tx, manifest, sources)
    const added =
      type === 'TEMPLATE' ? sources.map(inPlace) : await insertCopies(tx, change, ids, { manifest, sources })
    const changed = await appendMembers(
      tx,
      manifest,
      added.map(({ member }) => member),
      change.actor,
    )
    const names = named(added.map(({ reference }) => reference.name))
    const description = `Added ${names} to the manifest "${manifest.name}".`
    await auditUpdate(tx, change, ids, { manifest, changed, description })
    return added.map(({ reference }) => reference)
  })
}

type Added = { member: Member; reference: EntityReference }

/** An entity already in the list cannot be added twice, and neither can its namesake. */
async function refuseTwice(tx: Tx, manifest: ManifestRow, sources: readonly StoredEntity[]): Promise<void> {
  const content = await manifestContent(tx, manifest)
  const members = await entityRowsByIds(
    tx,
    manifest.organisation_id,
    content.entities.map(({ id }) => id),
  )
  checkNames(
    sources.map(({ name }) => name),
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
  ids: Ids,
  { manifest, sources }: { manifest: ManifestRow; sources: readonly StoredEntity[] },
): Promise<Added[]> {
  const closure = await namesInClosure(tx, organisationId, manifest)
  const copies = copiesOf(sources, () => manifest, closure, ids)
  const hashes = await insertEntities(tx, organisationId, copies, actor)
  await updateResolved(
    tx,
    organisationId,
    copies.map(({ id }) => id),
  )
  const describe = (copy: { content: { name: string } }) =>
    `Copied "${copy.content.name}" to the manifest "${manifest.name}".`
  await appendAudit(tx, organisationId, actor, creations(copies, hashes, ids, describe))
  return copies.map(({ id, path, content }) => ({
    member: { entityId: id, organisationId, type: 'EXCLUSIVE' },
    reference: { id, name: content.name, path },
  }))
}
