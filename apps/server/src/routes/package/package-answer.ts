import type { PackageItem } from '@cadmus/model/contract/package'
import { highestFirst } from '@cadmus/model/version'
import type { Db } from '../../store/database.ts'
import { manifestsByIds } from '../../store/manifest.ts'
import { buildsOf, type BuildRow } from '../../store/package-version.ts'
import { listPackages, type PackageQuery, type PackageRow } from '../../store/package.ts'
import { listFrame } from '../manifest/list-items.ts'

/** A part of an organisation's list of packages, each with all its builds. */
export async function packageList(db: Db, organisationId: number, query: PackageQuery) {
  const listed = await listPackages(db, organisationId, query)
  return { ...listFrame(listed, query), packages: await packageItems(db, organisationId, listed.rows) }
}

async function packageItems(db: Db, organisationId: number, rows: readonly PackageRow[]): Promise<PackageItem[]> {
  const builds = await buildsOf(
    db,
    organisationId,
    rows.map(({ id }) => id),
  )
  const manifestIds = new Set(rows.map(({ manifest_id: id }) => id))
  const manifests = new Set((await manifestsByIds(db, organisationId, [...manifestIds])).map(({ id }) => id))
  return rows.map(row => ({
    id: row.id,
    userId: row.user_id,
    guid: row.guid,
    name: row.name,
    manifestId: manifests.has(row.manifest_id) ? row.manifest_id : -1,
    manifestName: row.manifest_name,
    manifestPath: row.manifest_path,
    isDefault: row.is_default === 1,
    ...buildsAnswer(builds.get(row.id) ?? []),
  }))
}

/** `builds` must be in the order of requests. */
function buildsAnswer(builds: readonly BuildRow[]): Pick<PackageItem, 'status' | 'versions' | 'builds'> {
  const ordered = highestFirst(builds, ({ version }) => version)
  return {
    status: stateOf(builds).status,
    versions: ordered.filter(({ status }) => status === 'SUCCESS').map(({ version }) => version),
    builds: ordered.map(row => ({
      version: row.version,
      status: row.status,
      reason: row.reason,
      publishAs: row.publish_as,
      manifestVersion: row.manifest_version,
      size: row.size,
      userName: row.user_name,
      askedAt: row.asked_at,
      endedAt: row.ended_at,
    })),
  }
}

/** Summarises all builds: PROCESSING while one is running, else the result of the last requested one. */
export function stateOf(builds: readonly BuildRow[]): { status: PackageItem['status']; reason: string } {
  if (builds.some(({ status }) => status === 'PROCESSING')) return { status: 'PROCESSING', reason: '' }
  const last = builds.at(-1)
  return { status: last?.status ?? 'FAILED', reason: last?.reason ?? '' }
}
