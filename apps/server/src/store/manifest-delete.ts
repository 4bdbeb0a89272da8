import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import type { ManifestRow } from './manifest.ts'
import type { Tables } from './tables.ts'

export type OwnedEntity = Pick<Tables['entity'], 'id' | 'name' | 'path' | 'content_hash'>

const idBatch = 500

/** The entities that the manifest owns: they go with it. */
export async function ownedEntities(
  db: Db,
  manifest: Pick<ManifestRow, 'id' | 'organisation_id'>,
): Promise<OwnedEntity[]> {
  return db
    .selectFrom('entity')
    .select(['id', 'name', 'path', 'content_hash'])
    .where('organisation_id', '=', manifest.organisation_id)
    .where('manifest_id', '=', manifest.id)
    .where('import_id', '=', 0)
    .orderBy('id')
    .execute()
}

/** The other own manifests that list one of the entities in place. */
export async function manifestsListing(
  db: Db,
  organisationId: number,
  entityIds: readonly number[],
): Promise<Map<number, number[]>> {
  const listing = new Map<number, number[]>()
  for (const ids of inBatches(entityIds, idBatch)) {
    const rows = await db
      .selectFrom('manifest_member')
      .select(['manifest_id', 'entity_id'])
      .where('organisation_id', '=', organisationId)
      .where('entity_id', 'in', ids)
      .orderBy('manifest_id')
      .execute()
    for (const row of rows) listing.set(row.manifest_id, [...(listing.get(row.manifest_id) ?? []), row.entity_id])
  }
  return listing
}

/** The own manifests that list this one as a sub-manifest. */
export async function parentIds(db: Db, manifest: Pick<ManifestRow, 'id' | 'organisation_id'>): Promise<number[]> {
  const rows = await db
    .selectFrom('manifest_sub_manifest')
    .select('manifest_id')
    .where('organisation_id', '=', manifest.organisation_id)
    .where('sub_manifest_id', '=', manifest.id)
    .orderBy('manifest_id')
    .execute()
  return rows.map(row => row.manifest_id)
}

/** Removes entities with their versions, references and scopes; who refers to them is no longer resolved. */
export async function deleteEntityRows(tx: Db, organisationId: number, entityIds: readonly number[]): Promise<void> {
  for (const ids of inBatches(entityIds, idBatch)) {
    const referrers = tx
      .selectFrom('entity_reference')
      .select('from_id')
      .where('organisation_id', '=', organisationId)
      .where('to_id', 'in', ids)
    await tx
      .updateTable('entity')
      .set({ resolved: 0 })
      .where('organisation_id', '=', organisationId)
      .where('resolved', '=', 1)
      .where('id', 'in', referrers)
      .execute()
    await tx
      .deleteFrom('entity_reference')
      .where('organisation_id', '=', organisationId)
      .where('from_id', 'in', ids)
      .execute()
    for (const table of ['entity_version', 'entity_scopes'] as const) {
      await tx.deleteFrom(table).where('organisation_id', '=', organisationId).where('entity_id', 'in', ids).execute()
    }
    await tx.deleteFrom('entity').where('organisation_id', '=', organisationId).where('id', 'in', ids).execute()
  }
}
