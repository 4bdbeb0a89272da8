import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

export type PackageVersionRow = Tables['package_version']
/** The public columns of a build, without settings. */
export type BuildRow = Omit<PackageVersionRow, 'settings'>

const idBatch = 500

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
    .where('version', '=', version)
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
    .where('version', '=', version)
    .execute()
}
