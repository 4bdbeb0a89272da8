import type { listManifestVersions } from '@cadmus/model/contract/manifest'
import { limits } from '@cadmus/model/limits'
import type * as z from 'zod'
import type { Db } from '../store/database.ts'
import { manifestContent, type ManifestRow } from '../store/manifest.ts'
import { snapshotByHash } from '../store/manifest-snapshot.ts'
import { frozenVersions, type ManifestVersionRow } from '../store/manifest-version.ts'
import { yieldToEventLoop } from '../event-loop.ts'

type Versions = z.input<typeof listManifestVersions.answer>

/** All versions of a manifest, highest first. */
export async function manifestVersionsAnswer(db: Db, organisationId: number, manifest: ManifestRow): Promise<Versions> {
  const latest = await versionContent(db, organisationId, manifest, null)
  const manifestVersions = [{ VERSION: manifest.latest_version, CONTENT: latest }]
  let length = latest.length
  for (const row of await frozenVersions(db, manifest)) {
    await yieldToEventLoop()
    // Omits contents once the answer has grown too large; callers request them by version.
    const content = length > limits.listedContents ? '' : await versionContent(db, organisationId, manifest, row)
    length += content.length
    manifestVersions.push({ VERSION: row.version, CONTENT: content })
  }
  return { manifestVersions }
}

/** Returns CONTENT of a version as JSON text: name, description, entity ids and sub-manifest ids. */
export async function versionContent(
  db: Db,
  organisationId: number,
  manifest: ManifestRow,
  frozen: ManifestVersionRow | null,
): Promise<string> {
  const snapshot = frozen && (await snapshotByHash(db, organisationId, frozen.content_hash))
  const hash = snapshot?.manifests.find(part => part.id === manifest.id)?.hash ?? manifest.content_hash
  const { entities, subManifests, name, description } = await manifestContent(db, { ...manifest, content_hash: hash })
  return JSON.stringify({ name, description, entities: entities.map(({ id }) => id), subManifests })
}
