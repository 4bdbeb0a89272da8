import type { Db } from './database.ts'

/** Counts the manifests that are not sub-manifests, for the licence limit. */
export async function countTopManifests(db: Db, organisationId: number): Promise<number> {
  const { count } = await db
    .selectFrom('manifest')
    .select(query => query.fn.countAll<number>().as('count'))
    .where('organisation_id', '=', organisationId)
    .where('import_id', '=', 0)
    .where('id', 'not in', query =>
      query
        .selectFrom('manifest_sub_manifest')
        .select('sub_manifest_id')
        .where('organisation_id', '=', organisationId)
        .where('sub_organisation_id', '=', organisationId),
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}
