import type { PackageFilter } from '@cadmus/model/package'
import { foldName } from '@cadmus/model/paths'
import { idBatch, inBatches, rowsInBatches, storable } from './statements.ts'
import type { Db } from './database.ts'
import { behind, contains, type Listed, type Page, rowsBefore, writePlace } from './page.ts'
import type { Tables } from './tables.ts'

export type PackageRow = Tables['package']

export type PackageQuery = Page & {
  search: string
  filter?: PackageFilter | undefined
  manifestId?: number | undefined
  /** The complete name. */
  manifestName?: string | undefined
}

/** Lists an organisation's packages by name. */
export async function listPackages(db: Db, organisationId: number, query: PackageQuery): Promise<Listed<PackageRow>> {
  const { total } = await filtered(db, organisationId, query)
    .select(count => count.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const matching = filtered(db, organisationId, query)
    .selectAll()
    .orderBy('name_folded')
    .orderBy('id')
    .limit(query.limit)
  const rows =
    query.after === undefined
      ? await matching.offset(rowsBefore(query)).execute()
      : await matching.where(behind('name_folded', 'id', query.after)).execute()
  const last = rows.at(-1)
  return {
    rows,
    total: Number(total),
    next: last !== undefined && rows.length === query.limit ? writePlace(last) : null,
  }
}

function filtered(db: Db, organisationId: number, { search, filter, manifestId, manifestName }: PackageQuery) {
  let matching = db.selectFrom('package').where('organisation_id', '=', organisationId)
  const folded = foldName(search)
  if (folded !== '') matching = matching.where(contains('name_folded', folded))
  if (filter !== undefined) matching = matching.where('is_default', '=', filter === 'public' ? 1 : 0)
  if (manifestId !== undefined) matching = matching.where('manifest_id', '=', manifestId)
  if (manifestName !== undefined) matching = matching.where('manifest_name_folded', '=', foldName(manifestName))
  return matching
}

export async function countPackages(db: Db, organisationId: number): Promise<number> {
  const { total } = await db
    .selectFrom('package')
    .select(count => count.fn.countAll<number>().as('total'))
    .where('organisation_id', '=', organisationId)
    .executeTakeFirstOrThrow()
  return Number(total)
}

export async function packagesByIds(db: Db, organisationId: number, ids: readonly number[]): Promise<PackageRow[]> {
  return rowsInBatches(ids, idBatch, part =>
    db
      .selectFrom('package')
      .selectAll()
      .where('organisation_id', '=', organisationId)
      .where('id', 'in', part)
      .execute(),
  )
}

/** Names of packages with a finished build, by manifest. */
export async function packageNames(
  db: Db,
  organisationId: number,
  manifestIds: readonly number[],
): Promise<ReadonlyMap<number, string[]>> {
  const rows = await rowsInBatches(manifestIds, idBatch, part =>
    db
      .selectFrom('package_version')
      .innerJoin('package', join =>
        join
          .onRef('package.organisation_id', '=', 'package_version.organisation_id')
          .onRef('package.id', '=', 'package_version.package_id'),
      )
      .select(['package.name', 'package_version.manifest_id as manifestId'])
      .distinct()
      .where('package_version.organisation_id', '=', organisationId)
      .where('package.organisation_id', '=', organisationId)
      .where('package_version.manifest_id', 'in', part)
      .where('package_version.content_hash', 'is not', null)
      .orderBy('package.name')
      .execute(),
  )
  const byManifest = Map.groupBy(rows, row => row.manifestId)
  return new Map(Array.from(byManifest, ([id, named]) => [id, named.map(({ name }) => name)]))
}

export async function packageByName(db: Db, organisationId: number, name: string): Promise<PackageRow | undefined> {
  return db
    .selectFrom('package')
    .selectAll()
    .where('organisation_id', '=', organisationId)
    .where('name_folded', '=', foldName(storable(name)))
    .executeTakeFirst()
}

/** Locks a package until the transaction ends, against concurrent builds and deletions of its versions. */
export async function lockPackage(
  tx: Db,
  organisationId: number,
  which: { name: string } | { id: number },
): Promise<PackageRow | undefined> {
  const matching = tx
    .updateTable('package')
    .set(set => ({ guid: set.ref('guid') }))
    .where('organisation_id', '=', organisationId)
  const one =
    'id' in which
      ? matching.where('id', '=', which.id)
      : matching.where('name_folded', '=', foldName(storable(which.name)))
  return one.returningAll().executeTakeFirst()
}

export async function insertPackage(db: Db, row: PackageRow): Promise<void> {
  await db.insertInto('package').values(row).execute()
}

/** Updates the properties of the last build. */
export async function updatePackage(
  db: Db,
  { organisation_id: organisationId, id, ...row }: PackageRow,
): Promise<void> {
  await db.updateTable('package').set(row).where('organisation_id', '=', organisationId).where('id', '=', id).execute()
}

export async function deletePackageRow(db: Db, organisationId: number, id: number): Promise<void> {
  await db.deleteFrom('package').where('organisation_id', '=', organisationId).where('id', '=', id).execute()
}

export type PackageVersionRow = Tables['package_version']
/** The public columns of a build, without settings. */
export type BuildRow = Omit<PackageVersionRow, 'settings'>

const publicColumns = [
  'organisation_id',
  'package_id',
  'version',
  'job_id',
  'status',
  'reason',
  'publish_as',
  'manifest_id',
  'manifest_version',
  'content_hash',
  'size',
  'user_id',
  'user_name',
  'user_email',
  'asked_at',
  'ended_at',
] as const

/** Returns the builds by package, in the order of requests. */
export async function buildsOf(
  db: Db,
  organisationId: number,
  packageIds: readonly number[],
): Promise<Map<number, BuildRow[]>> {
  const builds = new Map<number, BuildRow[]>(packageIds.map(id => [id, []]))
  for (const part of inBatches(packageIds, idBatch)) {
    const rows = await db
      .selectFrom('package_version')
      .select(publicColumns)
      .where('organisation_id', '=', organisationId)
      .where('package_id', 'in', part)
      .orderBy('asked_at')
      .orderBy('job_id')
      .execute()
    for (const row of rows) builds.get(row.package_id)?.push(row)
  }
  return builds
}

export async function packageVersion(
  db: Db,
  organisationId: number,
  packageId: number,
  version: string,
): Promise<PackageVersionRow | undefined> {
  return db
    .selectFrom('package_version')
    .selectAll()
    .where('organisation_id', '=', organisationId)
    .where('package_id', '=', packageId)
    .where('version', '=', storable(version))
    .executeTakeFirst()
}

/** Returns the version that a job builds; undefined if it was removed or replaced. */
export async function versionOfJob(
  db: Db,
  organisationId: number,
  jobId: number,
): Promise<PackageVersionRow | undefined> {
  return db
    .selectFrom('package_version')
    .selectAll()
    .where('organisation_id', '=', organisationId)
    .where('job_id', '=', jobId)
    .executeTakeFirst()
}

/** Stores a version to be built, replacing a failed one. */
export async function putVersion(db: Db, row: PackageVersionRow): Promise<void> {
  const { organisation_id: organisationId, package_id: packageId, version } = row
  await deleteVersionRow(db, organisationId, packageId, version)
  await db.insertInto('package_version').values(row).execute()
}

/** Stores the result of a job's build. */
export async function endVersion(
  db: Db,
  organisationId: number,
  jobId: number,
  end: Pick<PackageVersionRow, 'status' | 'reason' | 'content_hash' | 'size' | 'ended_at'>,
): Promise<void> {
  await db
    .updateTable('package_version')
    .set(end)
    .where('organisation_id', '=', organisationId)
    .where('job_id', '=', jobId)
    .execute()
}

export async function deleteVersionRow(
  db: Db,
  organisationId: number,
  packageId: number,
  version: string,
): Promise<void> {
  await db
    .deleteFrom('package_version')
    .where('organisation_id', '=', organisationId)
    .where('package_id', '=', packageId)
    .where('version', '=', storable(version))
    .execute()
}
