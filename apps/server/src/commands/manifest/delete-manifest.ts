import { mayDeleteManifest } from '@cadmus/model/locks'
import { appendAudit, type AuditEntry } from '../../store/audit.ts'
import type { Tx } from '../../store/database.ts'
import { deleteManifestRows, lockManifest, lockManifestNames, type ManifestRow } from '../../store/manifest.ts'
import {
  deleteEntityRows,
  manifestsListing,
  ownedEntities,
  parentIds,
  type OwnedEntity,
} from '../../store/manifest-delete.ts'
import { removeMembers, removeSubManifest } from '../../store/manifest-members.ts'
import { transact, type Change, type Ids } from '../change.ts'
import { auditUpdate, named } from './audit.ts'
import { lockedManifest } from './may.ts'

/** Deletes a manifest with the entities that it owns. Manifests that list it, or one of those entities, lose them. */
export async function deleteManifest(change: Change, manifestId: number): Promise<void> {
  const { organisationId } = change
  await transact(change, 20, async (tx, ids) => {
    // Nobody may list it, or one of its entities, while it goes.
    await lockManifestNames(tx, organisationId)
    const manifest = await lockedManifest(tx, organisationId, manifestId, mayDeleteManifest)
    const owned = await ownedEntities(tx, manifest)
    await leaveParents(tx, change, ids, manifest)
    await leaveLists(tx, change, ids, { manifest, owned })
    await deleteEntityRows(
      tx,
      organisationId,
      owned.map(({ id }) => id),
    )
    await deleteManifestRows(tx, organisationId, manifest.id)
    await appendAudit(tx, organisationId, change.actor, [
      deletion('MANIFEST', manifest, ids, `Deleted the manifest "${manifest.name}".`),
      ...owned.map(entity =>
        deletion('ENTITY', entity, ids, `Deleted the entity "${entity.name}" with the manifest "${manifest.name}".`),
      ),
    ])
  })
}

async function leaveParents(tx: Tx, change: Change, ids: Ids, manifest: ManifestRow): Promise<void> {
  for (const id of await parentIds(tx, manifest)) {
    const parent = await lockManifest(tx, change.organisationId, id)
    if (parent === undefined) continue
    const changed = await removeSubManifest(tx, parent, manifest.id, change.actor)
    const description = `Removed the sub-manifest "${manifest.name}" from the manifest "${parent.name}".`
    await auditUpdate(tx, change, ids, { manifest: parent, changed, description })
  }
}

async function leaveLists(
  tx: Tx,
  change: Change,
  ids: Ids,
  { manifest, owned }: { manifest: ManifestRow; owned: readonly OwnedEntity[] },
): Promise<void> {
  const names = new Map(owned.map(({ id, name }) => [id, name]))
  const listing = await manifestsListing(tx, change.organisationId, [...names.keys()])
  for (const [id, entityIds] of listing) {
    if (id === manifest.id) continue
    const other = await lockManifest(tx, change.organisationId, id)
    if (other === undefined) continue
    const changed = await removeMembers(tx, other, entityIds, change.actor)
    const gone = named(entityIds.flatMap(entityId => names.get(entityId) ?? []))
    const description = `Removed ${gone} from the manifest "${other.name}".`
    await auditUpdate(tx, change, ids, { manifest: other, changed, description })
  }
}

function deletion(kind: AuditEntry['kind'], gone: OwnedEntity, ids: Ids, description: string): AuditEntry {
  return {
    id: ids.next(),
    kind,
    targetId: gone.id,
    action: 'DELETE',
    name: gone.name,
    path: gone.path,
    description,
    originalHash: gone.content_hash,
    updatedHash: null,
  }
}
