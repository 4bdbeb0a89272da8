import type { Db } from './database.ts'

/**
 * Selects manifests whose entities are being deleted by a job. One row hides all of them at once. Every read of
 * entities for an answer must exclude these manifests.
 */
export function manifestsPendingDeletion(db: Db, organisationIds: readonly number[]) {
  return db.selectFrom('unseen_manifest').select('manifest_id').where('organisation_id', 'in', organisationIds)
}

/** Selects the entities of these manifests, for conditions supported by an index. */
export function entitiesPendingDeletion(db: Db, organisationIds: readonly number[]) {
  return db
    .selectFrom('entity as unseen')
    .select('unseen.id')
    .where('unseen.organisation_id', 'in', organisationIds)
    .where('unseen.manifest_id', 'in', manifestsPendingDeletion(db, organisationIds))
}

/**
 * Whether any such manifest exists. Usually none does, and one query is cheaper than a condition on each of 50,000
 * rows.
 */
export async function hasPendingDeletions(db: Db, organisationIds: readonly number[]): Promise<boolean> {
  const row = await manifestsPendingDeletion(db, organisationIds).limit(1).executeTakeFirst()
  return row !== undefined
}

/** Whether the entities of this manifest are still being deleted. */
export async function isPendingDeletion(db: Db, organisationId: number, manifestId: number): Promise<boolean> {
  const row = await manifestsPendingDeletion(db, [organisationId])
    .where('manifest_id', '=', manifestId)
    .executeTakeFirst()
  return row !== undefined
}

/** Hides the manifest's entities; the job deletes them. */
export async function hideEntities(
  tx: Db,
  organisationId: number,
  { manifestId, jobId }: { manifestId: number; jobId: number },
): Promise<void> {
  const row = { organisation_id: organisationId, manifest_id: manifestId, job_id: jobId }
  await tx.insertInto('unseen_manifest').values(row).execute()
}

/** Returns the manifest whose entities the job deletes; undefined if none or already done. */
export async function manifestPendingDeletion(
  db: Db,
  organisationId: number,
  jobId: number,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('unseen_manifest')
    .select('manifest_id')
    .where('organisation_id', '=', organisationId)
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  return row?.manifest_id
}

/** Call it after the last entity was deleted. */
export async function clearPendingDeletion(tx: Db, organisationId: number, jobId: number): Promise<void> {
  await tx
    .deleteFrom('unseen_manifest')
    .where('organisation_id', '=', organisationId)
    .where('job_id', '=', jobId)
    .execute()
}
