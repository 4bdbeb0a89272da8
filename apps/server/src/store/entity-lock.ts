import { inBatches } from './batches.ts'
import type { Db, Store } from './database.ts'

const idBatch = 500

/**
 * Locks the rows of own entities until the transaction ends, ordered by id, so that their data remains as read,
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
