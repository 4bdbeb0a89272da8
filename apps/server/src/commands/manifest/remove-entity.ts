import type { OnReferences } from '@cadmus/model/detach'
import { mayRemoveMember } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { notFound } from '../../errors/api-error.ts'
import type { Tx } from '../../store/database.ts'
import { lockEntities } from '../../store/entity-lock.ts'
import { entityRowsByIds } from '../../store/entity.ts'
import { lockManifestNames, manifestContent } from '../../store/manifest.ts'
import { removeMembers } from '../../store/manifest-members.ts'
import { manifestChanged } from '../audit.ts'
import { transact, type Change, type Work } from '../change.ts'
import { removeEntities } from '../entity/remove-entities.ts'
import { lockedManifest } from './manifest-permission.ts'

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
    const describe = () => messages.audit.deletedFrom(entity.name, manifest.name)
    return removeEntities(tx, change, work, { entities: [entity], onReferences: handling(entity.uid), describe })
  }
  const changed = await removeMembers(tx, manifest, [entity.id], change.actor)
  return work.audit(manifestChanged(manifest, changed, messages.audit.left(entity.name, manifest.name)))
}
