import { sql } from 'kysely'
import { manifestsBelow } from './resolved-rows.ts'
import { contentByHash } from './content.ts'
import type { Db } from './database.ts'
import { entityContentOf } from './entity.ts'
import { frozenContents } from './entity-version.ts'
import { snapshotByHash } from './manifest-snapshot.ts'
import { idBatch } from './statements.ts'
import type { ManifestRow } from './manifest.ts'

/** Maximum content bytes of an answer made on the request thread; larger ones go to a worker. */
export const lightBytes = 128 * 1024
/** Maximum members and relationships of a manifest answered on the request thread. */
const lightMembers = 500
const lightRelationships = 1000
/** Maximum manifests whose build settings are read on the request thread. */
const lightManifests = 50

const length = sql<number>`octet_length(body)`

/** Whether the entity's answer is small: its content in that version, plus its ancestors' if included. */
export async function isLight(
  db: Db,
  organisationId: number,
  id: number,
  shown: { version?: string | undefined; withResolved?: boolean; withKey?: boolean },
): Promise<boolean> {
  const { version, withResolved = true, withKey = true } = shown
  // The key may be inherited.
  const isFamily = withResolved || withKey
  const frozen = version === undefined ? undefined : await frozenLength(db, organisationId, { id, version })
  let bytes = frozen?.length ?? 0
  if (bytes > lightBytes) return false
  const own = await latestLength(db, organisationId, id)
  bytes += own?.length ?? 0
  const body = frozen && isFamily ? await contentByHash(db, organisationId, frozen.hash) : undefined
  const parent = frozen && body ? entityContentOf(frozen.hash, body).extendsEntity?.id : own?.extendsId
  const seen = new Set([id])
  for (let next = isFamily ? (parent ?? 0) : 0; next > 0 && !seen.has(next) && bytes <= lightBytes;) {
    seen.add(next)
    const ancestor = await latestLength(db, organisationId, next)
    bytes += ancestor?.length ?? 0
    next = ancestor?.extendsId ?? 0
  }
  return bytes <= lightBytes
}

/** Whether the answer with all versions of an entity is small. */
export async function areVersionsLight(db: Db, organisationId: number, id: number): Promise<boolean> {
  const latest = await latestLength(db, organisationId, id)
  const frozen = await lengthsOfVersions(db, organisationId, id).execute()
  return frozen.reduce((sum, row) => sum + Number(row.length), latest?.length ?? 0) <= lightBytes
}

/** Whether the answer with the latest state of a manifest is small. */
export async function isLightManifest(
  db: Db,
  organisationId: number,
  manifest: Pick<ManifestRow, 'id' | 'organisation_id' | 'entity_count' | 'configuration_hash'>,
): Promise<boolean> {
  return (await isLightConfiguration(db, manifest)) && areMembersLight(db, organisationId, manifest)
}

/** Whether a manifest has few members and relationships. */
export async function areMembersLight(
  db: Db,
  organisationId: number,
  { organisation_id: owner, id, entity_count: count }: Pick<ManifestRow, 'id' | 'organisation_id' | 'entity_count'>,
): Promise<boolean> {
  if (count > lightMembers) return false
  const members = await db
    .selectFrom('manifest_member')
    .select('entity_id')
    .where('organisation_id', '=', owner)
    .where('manifest_id', '=', id)
    .execute()
  if (members.length === 0) return true
  const ids = members.map(row => row.entity_id)
  const relationships = await db
    .selectFrom('entity_reference')
    .select('from_id')
    .where('organisation_id', 'in', [organisationId, 0])
    .where('from_id', 'in', ids)
    .limit(lightRelationships + 1)
    .execute()
  return relationships.length <= lightRelationships
}

/** Whether few relationships begin or end at the entities up to `steps` relationships away from one. */
export async function isLightNeighbourhood(
  db: Db,
  { organisationId, id, steps }: { organisationId: number; id: number; steps: number },
): Promise<boolean> {
  let reached = new Set([id])
  for (let step = 0; step <= steps; step++) {
    if (reached.size > idBatch) return false
    const ends: number[] = []
    for (const end of ['from_id', 'to_id'] as const) {
      const rows = await db
        .selectFrom('entity_reference')
        .select(['from_id', 'to_id'])
        .where('organisation_id', 'in', [organisationId, 0])
        .where(end, 'in', [...reached])
        .where('attribute_uid', '!=', '')
        .limit(lightRelationships + 1)
        .execute()
      if (rows.length > lightRelationships) return false
      for (const row of rows) ends.push(row.from_id, row.to_id)
    }
    reached = new Set([...reached, ...ends])
  }
  return true
}

/** Whether a manifest's configuration is small. */
export async function isLightConfiguration(
  db: Db,
  { organisation_id: owner, configuration_hash: hash }: Pick<ManifestRow, 'organisation_id' | 'configuration_hash'>,
): Promise<boolean> {
  return hash === null || (await bytesOf(db, [owner], [hash])) <= lightBytes
}

/** Whether the build settings of a manifest and all its sub-manifests are small. */
export async function areSettingsLight(
  db: Db,
  {
    organisationId,
    manifest,
    frozen,
  }: { organisationId: number; manifest: ManifestRow; frozen: { content_hash: string } | null },
): Promise<boolean> {
  const owners = [organisationId, 0]
  if (frozen !== null && (await bytesOf(db, owners, [frozen.content_hash])) > lightBytes) return false
  const hashes =
    frozen === null
      ? (await manifestsBelow(db, organisationId, manifest)).map(row => row.configuration_hash)
      : (await snapshotByHash(db, organisationId, frozen.content_hash)).manifests.map(part => part.configuration)
  if (hashes.length > lightManifests) return false
  const stored = hashes.filter(hash => hash !== null)
  return (await bytesOf(db, owners, stored)) <= lightBytes
}

/** Total size of the contents. */
async function bytesOf(db: Db, organisationIds: readonly number[], hashes: readonly string[]): Promise<number> {
  if (hashes.length === 0) return 0
  const rows = await db
    .selectFrom('content')
    .select(length.as('length'))
    .where('organisation_id', 'in', organisationIds)
    .where('hash', 'in', hashes)
    .execute()
  return rows.reduce((sum, row) => sum + Number(row.length), 0)
}

/** Whether the contents of all versions of a manifest are small, or of one version; `null` is the latest. */
export async function areManifestVersionsLight(
  db: Db,
  { id, organisation_id: owner, content_hash: hash }: Pick<ManifestRow, 'id' | 'organisation_id' | 'content_hash'>,
  one?: { version: string } | null,
): Promise<boolean> {
  const latest = await db
    .selectFrom('content')
    .select(length.as('length'))
    .where('organisation_id', '=', owner)
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (one === null) return Number(latest?.length ?? 0) <= lightBytes
  const all = db
    .selectFrom('manifest_version')
    .innerJoin('content', join =>
      join
        .onRef('content.organisation_id', '=', 'manifest_version.organisation_id')
        .onRef('content.hash', '=', 'manifest_version.content_hash'),
    )
    .select(length.as('length'))
    .where('manifest_version.organisation_id', '=', owner)
    .where('manifest_version.manifest_id', '=', id)
  const frozen = await (one ? all.where('manifest_version.version', '=', one.version) : all).execute()
  return frozen.reduce((sum, row) => sum + Number(row.length), Number(latest?.length ?? 0)) <= lightBytes
}

async function latestLength(db: Db, organisationId: number, id: number) {
  const row = await db
    .selectFrom('entity')
    .innerJoin('content', join =>
      join
        .onRef('content.organisation_id', '=', 'entity.organisation_id')
        .onRef('content.hash', '=', 'entity.content_hash'),
    )
    .select(['entity.extends_id', length.as('length')])
    .where('entity.organisation_id', 'in', [organisationId, 0])
    .where('entity.id', '=', id)
    .executeTakeFirst()
  return row && { extendsId: row.extends_id, length: Number(row.length) }
}

async function frozenLength(db: Db, organisationId: number, { id, version }: { id: number; version: string }) {
  const row = await lengthsOfVersions(db, organisationId, id)
    .where('entity_version.version', '=', version)
    .executeTakeFirst()
  return row && { hash: row.content_hash, length: Number(row.length) }
}

function lengthsOfVersions(db: Db, organisationId: number, id: number) {
  return frozenContents(db, organisationId, id).select(['entity_version.content_hash', length.as('length')])
}
