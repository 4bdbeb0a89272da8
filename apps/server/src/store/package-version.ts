import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

export type PackageVersionRow = Tables['package_version']
/** What is told of a build: nothing of the settings. */
export type BuildRow = Omit<PackageVersionRow, 'settings'>

const idBatch = 500

const toldColumns = [
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

/** The builds of packages, by package; in the order in which they were asked for. */
export async function buildsOf(
  db: Db,
  organisationId: number,
  packageIds: readonly number[],
): Promise<Map<number, BuildRow[]>> {
  const builds = new Map<number, BuildRow[]>(packageIds.map(id => [id, []]))
  for (const part of inBatches(packageIds, idBatch)) {
    const rows = await db
      .selectFrom('package_version')
      .select(toldColumns)
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

/** What a job is to build; undefined where the version is not built by it any more. */
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

/** A version that is to be built; it takes the place of one that failed. */
export async function putVersion(db: Db, row: PackageVersionRow): Promise<void> {
  const { organisation_id: organisationId, package_id: packageId, version } = row
  await deleteVersionRow(db, organisationId, packageId, version)
  await db.insertInto('package_version').values(row).execute()
}

/** How the build of a job ended. */
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
