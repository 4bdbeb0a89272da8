import type { OnReferences } from '@cadmus/model/detach'
import { mayDeleteManifest } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import type { Tx } from '../../store/database.ts'
import { lockManifest, lockManifestNames, type ManifestRow } from '../../store/manifest.ts'
import { deleteManifestRows, ownedEntities, parentIds } from '../../store/manifest-delete.ts'
import { removeSubManifest } from '../../store/manifest-members.ts'
import type { Restoration } from '../../store/restoration.ts'
import { manifestChanged, tellOfManifest } from '../audit.ts'
import { transact, type Change, type Work } from '../change.ts'
import { removeEntities } from '../entity/remove-entities.ts'
import { lockedManifest } from './may.ts'

/** Deletes a manifest with the entities that it owns. Manifests that list it, or one of those entities, lose them. */
export async function deleteManifest(change: Change, manifestId: number, onReferences?: OnReferences): Promise<void> {
  const { organisationId } = change
  await transact(change, 20, async (tx, work) => {
    // Nobody may list it, or one of its entities, while it goes.
    await lockManifestNames(tx, organisationId)
    const manifest = await lockedManifest(tx, organisationId, manifestId, mayDeleteManifest)
    const entities = await ownedEntities(tx, manifest)
    const parents = await leaveParents(tx, change, work, manifest)
    const describe = ({ name }: { name: string }) => messages.audit.deletedWith(name, manifest.name)
    await removeEntities(tx, change, work, { entities, withManifest: manifest.id, onReferences, describe })
    const { subManifests, ...rest } = await deleteManifestRows(tx, organisationId, manifest.id)
    const put = [...(subManifests?.put ?? []), ...parents]
    work.tell(
      tellOfManifest(manifest, {
        action: 'DELETE',
        description: messages.audit.manifestDeleted(manifest.name),
        before: manifest.content_hash,
        after: null,
        restoration: { ...rest, subManifests: { put, drop: [] } },
      }),
    )
  })
}

type SubManifestRows = NonNullable<Restoration['subManifests']>['put']

/** Answers its places in the parents. */
async function leaveParents(tx: Tx, change: Change, work: Work, manifest: ManifestRow): Promise<SubManifestRows> {
  const places: SubManifestRows = []
  for (const id of await parentIds(tx, manifest)) {
    const parent = await lockManifest(tx, change.organisationId, id)
    if (parent === undefined) continue
    const changed = await removeSubManifest(tx, parent, manifest.id, change.actor)
    places.push(...(changed.restoration.subManifests?.put ?? []))
    work.tell(manifestChanged(parent, changed, messages.audit.subManifestRemoved(manifest.name, parent.name)))
  }
  return places
}
