import { mayRemoveMember } from '@cadmus/model/locks'
import { notFound } from '../../errors/api-error.ts'
import { appendAudit } from '../../store/audit.ts'
import type { Tx } from '../../store/database.ts'
import { entityRowsByIds, type EntityRow } from '../../store/entity.ts'
import { lockManifest, lockManifestNames, manifestContent, type ManifestRow } from '../../store/manifest.ts'
import { deleteEntityRows, manifestsListing } from '../../store/manifest-delete.ts'
import { removeMembers } from '../../store/manifest-members.ts'
import { transact, type Change, type Ids } from '../change.ts'
import { auditUpdate } from './audit.ts'
import { lockedManifest } from './may.ts'

/** Takes an entity out of a manifest. One that the manifest owns is deleted with it; one in place lives on. */
export async function removeEntity(change: Change, manifestId: number, entityId: number): Promise<void> {
  const { organisationId } = change
  await transact(change, 3, async (tx, ids) => {
    // Nobody may list the entity elsewhere while it goes.
    await lockManifestNames(tx, organisationId)
    const manifest = await lockedManifest(tx, organisationId, manifestId, mayRemoveMember)
    const { entities } = await manifestContent(tx, manifest)
    const entity = (await entityRowsByIds(tx, organisationId, [entityId])).get(entityId)
    if (entity === undefined || !entities.some(({ id }) => id === entityId)) throw notFound('The entity')
    await takeOut(tx, change, ids, { manifest, entity })
    if (entity.organisation_id !== organisationId || entity.manifest_id !== manifest.id) return
    for (const otherId of (await manifestsListing(tx, organisationId, [entityId])).keys()) {
      const other = await lockManifest(tx, organisationId, otherId)
      if (other) await takeOut(tx, change, ids, { manifest: other, entity })
    }
    await deleteEntityRows(tx, organisationId, [entityId])
    await appendAudit(tx, organisationId, change.actor, [
      {
        id: ids.next(),
        kind: 'ENTITY',
        targetId: entityId,
        action: 'DELETE',
        name: entity.name,
        path: entity.path,
        description: `Deleted the entity "${entity.name}" with its place in the manifest "${manifest.name}".`,
        originalHash: entity.content_hash,
        updatedHash: null,
      },
    ])
  })
}

async function takeOut(
  tx: Tx,
  change: Change,
  ids: Ids,
  { manifest, entity }: { manifest: ManifestRow; entity: EntityRow },
): Promise<void> {
  const changed = await removeMembers(tx, manifest, [entity.id], change.actor)
  const description = `Removed "${entity.name}" from the manifest "${manifest.name}".`
  await auditUpdate(tx, change, ids, { manifest, changed, description })
}
