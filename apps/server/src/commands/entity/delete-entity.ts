import { mayDeleteEntity } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { appendAudit, type AuditEntry } from '../../store/audit.ts'
import type { Db } from '../../store/database.ts'
import { deleteEntityRow, type StoredEntity } from '../../store/entity.ts'
import { manifestsWithEntity, removeMembers } from '../../store/manifest-members.ts'
import { lockManifest, lockManifestNames } from '../../store/manifest.ts'
import { type Change, type Ids, transact } from '../change.ts'
import { entityState, requireAllowed, requireEntity } from './entity-state.ts'

/** Deletes an entity, its versions and its places in manifests. What refers to it keeps its name and says that it is gone. */
export async function deleteEntity(change: Change, id: number): Promise<void> {
  const { organisationId, actor } = change
  await transact(change, 4, async (tx, ids) => {
    await lockManifestNames(tx, organisationId)
    const entity = await requireEntity(tx, organisationId, id)
    requireAllowed(mayDeleteEntity(entityState(entity)))
    const left = await leaveManifests(tx, change, ids, entity)
    await deleteEntityRow(tx, organisationId, id)
    const entry: AuditEntry = {
      id: ids.next(),
      kind: 'ENTITY',
      targetId: id,
      action: 'DELETE',
      name: entity.name,
      path: entity.path,
      description: messages.audit.deleted(entity.name),
      originalHash: entity.content_hash,
      updatedHash: null,
    }
    await appendAudit(tx, organisationId, actor, [entry, ...left])
  })
}

async function leaveManifests(
  tx: Db,
  { organisationId, actor }: Change,
  ids: Ids,
  entity: StoredEntity,
): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  for (const manifestId of await manifestsWithEntity(tx, organisationId, entity.id)) {
    const manifest = await lockManifest(tx, organisationId, manifestId)
    if (!manifest) continue
    const { before, after } = await removeMembers(tx, manifest, [entity.id], actor)
    entries.push({
      id: ids.next(),
      kind: 'MANIFEST',
      targetId: manifest.id,
      action: 'UPDATE',
      name: manifest.name,
      path: manifest.path,
      description: messages.audit.left(entity.name, manifest.name),
      originalHash: before,
      updatedHash: after,
    })
  }
  return entries
}
