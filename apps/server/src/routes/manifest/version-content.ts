import type { RequestContext } from '../../http/route.ts'
import { manifestContent, type ManifestRow } from '../../store/manifest.ts'
import { snapshotByHash } from '../../store/manifest-snapshot.ts'
import type { ManifestVersionRow } from '../../store/manifest-version.ts'

/** CONTENT of a version: the lists of entity ids and sub-manifest ids, as JSON text. */
export async function versionContent(
  { context, organisation }: RequestContext,
  manifest: ManifestRow,
  frozen: ManifestVersionRow | null,
): Promise<string> {
  const db = context.store.of(organisation.id)
  const snapshot = frozen && (await snapshotByHash(db, organisation.id, frozen.content_hash))
  const hash = snapshot?.manifests.find(part => part.id === manifest.id)?.hash ?? manifest.content_hash
  const { entities, subManifests, name, description } = await manifestContent(db, { ...manifest, content_hash: hash })
  return JSON.stringify({ name, description, entities: entities.map(({ id }) => id), subManifests })
}
