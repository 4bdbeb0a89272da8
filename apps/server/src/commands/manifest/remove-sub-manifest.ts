import { mayRemoveMember } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { notFound } from '../../errors/api-error.ts'
import { manifestById, manifestContent } from '../../store/manifest.ts'
import { removeSubManifest as removeFromList } from '../../store/manifest-members.ts'
import { manifestChanged } from '../audit.ts'
import { transact, type Change } from '../change.ts'
import { lockedManifest } from './may.ts'

/** Takes a sub-manifest out of this parent; it lives on. */
export async function removeSubManifest(change: Change, manifestId: number, subId: number): Promise<void> {
  const { organisationId } = change
  await transact(change, 1, async (tx, work) => {
    const manifest = await lockedManifest(tx, organisationId, manifestId, mayRemoveMember)
    const { subManifests } = await manifestContent(tx, manifest)
    if (!subManifests.includes(subId)) throw notFound('The sub-manifest')
    const sub = await manifestById(tx, organisationId, subId)
    const changed = await removeFromList(tx, manifest, subId, change.actor)
    const description = messages.audit.subManifestRemoved(sub?.name ?? String(subId), manifest.name)
    work.tell(manifestChanged(manifest, changed, description))
  })
}
