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
