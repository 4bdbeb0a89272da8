import { isPinned } from '@cadmus/model/configuration-names'
import { isEqual } from '@cadmus/model/equal'
import { messages } from '@cadmus/model/messages'
import type { Tx } from '../../store/database.ts'
import { membershipsOf } from '../../store/entity-delete.ts'
import { configurationOf, resolveNamesIn, putConfiguration } from '../../store/manifest-configuration.ts'
import { lockManifest, setManifestConfiguration } from '../../store/manifest.ts'
import { manifestsAbove } from '../../store/referring-manifests.ts'
import { type Change, WriteConflict, type Work } from '../change.ts'
import { auditConfiguration } from '../manifest/save-configuration.ts'

/**
 * Configurations with identities need no change when an item is renamed. Others (format 1, or saved before the item existed) get them
 * before the rename, while their names still resolve.
 */
export async function pinConfigurations(
  tx: Tx,
  { organisationId, actor }: Change,
  work: Work,
  entityIds: readonly number[],
): Promise<void> {
  const memberships = [...(await membershipsOf(tx, organisationId, entityIds)).values()].flat()
  const manifestIds = memberships.map(row => row.manifest_id)
  for (const manifest of await manifestsAbove(tx, organisationId, manifestIds)) {
    if (manifest.configuration_hash === null) continue
    const before = await configurationOf(tx, manifest)
    if (isPinned(before)) continue
    const after = await resolveNamesIn(tx, manifest, before.configuration, before.named)
    if (isEqual(after.named.map(meaning), before.named.map(meaning))) continue
    const locked = await lockManifest(tx, organisationId, manifest.id)
    if (locked?.configuration_hash !== manifest.configuration_hash) throw new WriteConflict()
    const hash = await putConfiguration(tx, organisationId, after)
    await setManifestConfiguration(tx, organisationId, manifest.id, hash, actor)
    await auditConfiguration(tx, work, manifest, { before, after, description: messages.audit.pinned(manifest.name) })
  }
}

function meaning({ uid, columns }: { uid: string; columns: readonly { uid: string }[] }) {
  return { uid, columns: columns.map(column => column.uid) }
}
