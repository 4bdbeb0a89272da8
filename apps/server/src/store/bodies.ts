import { inBatches } from './batches.ts'
import type { Db } from './database.ts'

const hashBatch = 200

/** Contents by hash, of this organisation or of the library. */
export async function bodiesOf(
  db: Db,
  organisationId: number,
  parts: readonly { hash: string }[],
): Promise<Map<string, string>> {
  const bodies = new Map<string, string>()
  const hashes = [...new Set(parts.map(part => part.hash))]
  for (const batch of inBatches(hashes, hashBatch)) {
    const rows = await db
      .selectFrom('content')
      .select(['hash', 'body'])
      .where('organisation_id', 'in', [organisationId, 0])
      .where('hash', 'in', batch)
      .execute()
    for (const row of rows) bodies.set(row.hash, row.body)
  }
  return bodies
}
