import { inBatches } from './batches.ts'
import type { Db, Store } from './database.ts'

const idBatch = 500

/**
 * Holds the rows of own entities against other writers until the transaction ends, in the order of their ids: what is read of them
 * from here on is what they are, with columns, references and versions. Whoever deletes entities, or writes what hangs on one
 * without writing the entity itself, holds them first, and reads after that. On SQLite one transaction at a time writes anyhow.
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

/** The same for all that a manifest owns. */
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
