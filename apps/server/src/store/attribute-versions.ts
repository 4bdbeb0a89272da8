import { biographyLimits } from '@cadmus/model/contract/biography'
import { contentsWithColumn } from './attribute-log.ts'
import { lengthsOf } from './content.ts'
import type { Db } from './database.ts'
import { frozenContents } from './entity-version.ts'
import { manifestsWithEntity } from './manifest-members.ts'
import { snapshotByHash } from './manifest-snapshot.ts'
import { manifestsByIds } from './manifest.ts'

type VersionAt = { version: string; at: string }
type ManifestSince = VersionAt & { id: number; name: string }

/** A column in an entity; `since`: when it came there, '' if that is not known. */
export type ColumnPlace = { entity: { id: number; manifest_id: number }; uid: string; since: string }

const maxVersions = 20
const maxSnapshots = 5

/** The first frozen version of the entity with the column. */
export async function firstVersion(
  db: Db,
  organisationId: number,
  { entity, uid, since }: ColumnPlace,
): Promise<VersionAt | null> {
  const later = await frozenContents(db, organisationId, entity.id)
    .select(['entity_version.version', 'entity_version.created_at', 'entity_version.content_hash'])
    .where('entity_version.created_at', '>=', since)
    .orderBy('entity_version.created_at')
    .limit(maxVersions)
    .execute()
  const hashes = later.map(row => row.content_hash)
  const having = await contentsWithColumn(db, organisationId, hashes, uid)
  const first = later.find(row => having.has(row.content_hash))
  return first ? { version: first.version, at: first.created_at } : null
}

/** The first frozen version with the column of each manifest that lists the entity, and the first build from it or later. */
export async function firstInManifests(
  db: Db,
  organisationId: number,
  place: ColumnPlace,
): Promise<{ manifests: ManifestSince[]; builds: (VersionAt & { name: string })[] }> {
  const ids = await manifestsWithEntity(db, organisationId, place.entity.id)
  const rows = await manifestsByIds(db, organisationId, ids.slice(0, biographyLimits.manifests))
  const manifests: ManifestSince[] = []
  const builds: (VersionAt & { name: string })[] = []
  for (const { id, name } of rows) {
    const version = await firstManifestVersion(db, organisationId, id, place)
    if (version) manifests.push({ id, name, ...version })
    const isOwner = id === place.entity.manifest_id && place.since !== ''
    const since = isOwner ? place.since : version?.at
    const build = since === undefined ? undefined : await firstBuild(db, organisationId, id, since)
    if (build) builds.push(build)
  }
  return { manifests, builds }
}

async function firstManifestVersion(
  db: Db,
  organisationId: number,
  manifestId: number,
  { entity, uid, since }: ColumnPlace,
): Promise<VersionAt | null> {
  const rows = await versionsOf(db, organisationId, manifestId)
    .select('content_hash as hash')
    .where('created_at', '>=', since)
    .orderBy('created_at')
    .limit(maxSnapshots)
    .execute()
  const lengths = await lengthsOf(db, organisationId, rows)
  for (const { hash, version, created_at: at } of rows) {
    if ((lengths.get(hash) ?? 0) > biographyLimits.bytes) return null
    const { entities } = await snapshotByHash(db, organisationId, hash)
    const member = entities.find(({ id }) => id === entity.id)
    if (member && (await contentsWithColumn(db, organisationId, [member.hash], uid)).size > 0) return { version, at }
  }
  return null
}

/** The first successful build after the time, unless it was made from a version frozen before it. */
async function firstBuild(db: Db, organisationId: number, manifestId: number, since: string) {
  const older = await versionsOf(db, organisationId, manifestId).where('created_at', '<', since).execute()
  const versions = older.map(({ version }) => version)
  const all = db
    .selectFrom('package_version')
    .innerJoin('package', join =>
      join
        .onRef('package.organisation_id', '=', 'package_version.organisation_id')
        .onRef('package.id', '=', 'package_version.package_id'),
    )
    .select(['package.name', 'package_version.version', 'package_version.asked_at as at'])
    .where('package_version.organisation_id', '=', organisationId)
    .where('package_version.manifest_id', '=', manifestId)
    .where('package_version.status', '=', 'SUCCESS')
    .where('package_version.asked_at', '>=', since)
  const made = versions.length === 0 ? all : all.where('package_version.manifest_version', 'not in', versions)
  return made.orderBy('package_version.asked_at').limit(1).executeTakeFirst()
}

function versionsOf(db: Db, organisationId: number, manifestId: number) {
  return db
    .selectFrom('manifest_version')
    .select(['version', 'created_at'])
    .where('organisation_id', '=', organisationId)
    .where('manifest_id', '=', manifestId)
}
