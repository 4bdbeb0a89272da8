import type { Restoration } from './audit.ts'
import { idBatch, inBatches, rowsInBatches } from './statements.ts'
import { adjustEntityCounters } from './counters.ts'
import type { Db } from './database.ts'
import type { Store } from './store.ts'
import { deleteColumns } from './entity-column.ts'
import { deleteOpenReferences, openReferencesTo } from './open-reference.ts'
import { deleteSearchTexts } from './search-text.ts'
import type { Tables } from './tables.ts'

/**
 * Deletes entities of the organisation with their versions, references and scopes, and marks their referrers
 * unresolved. Member rows belong to the manifests. Returns restoration data by id. Hidden entities are not counted.
 * Requires locked rows (`lockEntities`), else rows of a concurrent save would be left behind.
 */
export async function deleteEntityRows(
  tx: Db,
  organisationId: number,
  entityIds: readonly number[],
  { areCounted = true } = {},
): Promise<Map<number, Restoration>> {
  const removed = new Map<number, Restoration>()
  for (const ids of inBatches(entityIds, idBatch)) {
    await markReferrers(tx, organisationId, ids)
    await openReferencesTo(tx, organisationId, ids)
    await deleteColumns(tx, organisationId, ids)
    await deleteSearchTexts(tx, organisationId, 'entity', ids)
    await deleteOpenReferences(tx, organisationId, ids)
    await tx
      .deleteFrom('entity_reference')
      .where('organisation_id', '=', organisationId)
      .where('from_id', 'in', ids)
      .execute()
    for (const [id, restoration] of await deleteWithVersions(tx, organisationId, ids, areCounted))
      removed.set(id, restoration)
  }
  return removed
}

async function deleteWithVersions(
  tx: Db,
  organisationId: number,
  ids: readonly number[],
  areCounted: boolean,
): Promise<[number, Restoration][]> {
  const versions = await tx
    .deleteFrom('entity_version')
    .where('organisation_id', '=', organisationId)
    .where('entity_id', 'in', ids)
    .returningAll()
    .execute()
  const scopes = await tx
    .deleteFrom('entity_scopes')
    .where('organisation_id', '=', organisationId)
    .where('entity_id', 'in', ids)
    .returningAll()
    .execute()
  const rows = await tx
    .deleteFrom('entity')
    .where('organisation_id', '=', organisationId)
    .where('id', 'in', ids)
    .returningAll()
    .execute()
  const seen = rows.filter(row => areCounted && row.import_id === 0 && row.hidden === 0)
  await adjustEntityCounters(
    tx,
    organisationId,
    seen.map(row => row.folder),
    -1,
  )
  const versionsOf = Map.groupBy(versions, row => row.entity_id)
  const scopesOf = new Map(scopes.map(row => [row.entity_id, row.scopes]))
  return rows.map(entity => {
    const put = versionsOf.get(entity.id) ?? []
    return [entity.id, { entity, versions: { put, drop: [] }, ownScopes: scopesOf.get(entity.id) ?? null }]
  })
}

/** Returns the member rows of entities in the organisation's manifests, by entity, excluding `exceptManifest`. */
export async function membershipsOf(
  db: Db,
  organisationId: number,
  entityIds: readonly number[],
  exceptManifest?: number,
): Promise<Map<number, Tables['manifest_member'][]>> {
  const rows = await rowsInBatches(entityIds, idBatch, ids => {
    const listed = db
      .selectFrom('manifest_member')
      .selectAll()
      .where('organisation_id', '=', organisationId)
      .where('entity_id', 'in', ids)
      .orderBy('manifest_id')
    return (exceptManifest === undefined ? listed : listed.where('manifest_id', '!=', exceptManifest)).execute()
  })
  return Map.groupBy(rows, row => row.entity_id)
}

async function markReferrers(tx: Db, organisationId: number, ids: readonly number[]): Promise<void> {
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
}

/**
 * Locks the rows of custom entities until the transaction ends, ordered by id, so that their data remains as read,
 * including columns, references and versions. Required before deleting entities or writing dependent rows without the
 * entity itself. SQLite has only one writer anyway.
 */
export async function lockEntities(
  tx: Db,
  { kind }: Pick<Store, 'kind'>,
  organisationId: number,
  ids: readonly number[],
): Promise<void> {
  if (kind === 'sqlite') return
  const inOrder = ids.toSorted((a, b) => a - b)
  for (const part of inBatches(inOrder, idBatch)) {
    await tx
      .selectFrom('entity')
      .select('id')
      .where('organisation_id', '=', organisationId)
      .where('id', 'in', part)
      .orderBy('id')
      .forUpdate()
      .execute()
  }
}

/** Like `lockEntities`, for all entities owned by a manifest. */
export async function lockOwnedEntities(
  tx: Db,
  { kind }: Pick<Store, 'kind'>,
  manifest: { id: number; organisation_id: number },
): Promise<void> {
  if (kind === 'sqlite') return
  await tx
    .selectFrom('entity')
    .select('id')
    .where('organisation_id', '=', manifest.organisation_id)
    .where('manifest_id', '=', manifest.id)
    .where('import_id', '=', 0)
    .orderBy('id')
    .forUpdate()
    .execute()
}
