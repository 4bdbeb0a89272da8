import { mayRemoveMember } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { notFound } from '../../errors/api-error.ts'
import type { Tx } from '../../store/database.ts'
import { lockManifestNames, manifestById, manifestContent } from '../../store/manifest.ts'
import { removeSubManifest as removeFromList } from '../../store/manifest-members.ts'
import { manifestChanged } from '../audit.ts'
import { transact, type Change, type Work } from '../change.ts'
import { withinManifestLimit } from './manifest-limit.ts'
import { lockedManifest } from './manifest-permission.ts'

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
  const description = messages.audit.subManifestRemoved(sub?.name ?? String(subId), manifest.name)
  work.audit(manifestChanged(manifest, changed, description))
}
