import type { Db } from './database.ts'

/**
 * Manifests whose entities nobody sees, because a job is removing them. What thousands of rows would have to say, one row says:
 * they are gone for everybody at once. `entity.manifest_id` must not be in it wherever entities are read for an answer.
 */
export function unseenManifests(db: Db, organisationIds: readonly number[]) {
  return db.selectFrom('unseen_manifest').select('manifest_id').where('organisation_id', 'in', organisationIds)
}

/** Their entities: for conditions on what an index holds. */
export function unseenEntities(db: Db, organisationIds: readonly number[]) {
  return db
    .selectFrom('entity as unseen')
    .select('unseen.id')
    .where('unseen.organisation_id', 'in', organisationIds)
    .where('unseen.manifest_id', 'in', unseenManifests(db, organisationIds))
}

/** Whether there is such a manifest: to ask that once costs less than to ask it for each of 50,000 rows, and there seldom is. */
export async function hasUnseen(db: Db, organisationIds: readonly number[]): Promise<boolean> {
  const row = await unseenManifests(db, organisationIds).limit(1).executeTakeFirst()
  return row !== undefined
}

/** From here on nobody sees the manifest's entities; the job removes them. */
export async function hideEntities(
  tx: Db,
  organisationId: number,
  { manifestId, jobId }: { manifestId: number; jobId: number },
): Promise<void> {
  const row = { organisation_id: organisationId, manifest_id: manifestId, job_id: jobId }
  await tx.insertInto('unseen_manifest').values(row).execute()
}

/** The manifest whose entities the job removes; undefined where it hid none, or is done. */
export async function unseenManifestOf(db: Db, organisationId: number, jobId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('unseen_manifest')
    .select('manifest_id')
    .where('organisation_id', '=', organisationId)
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  return row?.manifest_id
}

/** After the last of its entities is gone. */
export async function forgetUnseen(tx: Db, organisationId: number, jobId: number): Promise<void> {
  await tx
    .deleteFrom('unseen_manifest')
    .where('organisation_id', '=', organisationId)
    .where('job_id', '=', jobId)
    .execute()
}
