import { sql } from 'kysely'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'

const hashBatch = 200

/** Returns contents by hash, from the organisation or the library. */
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

/** Returns the size of each content in bytes, without loading them. */
export async function lengthsOf(
  db: Db,
  organisationId: number,
  parts: readonly { hash: string }[],
): Promise<Map<string, number>> {
  const lengths = new Map<string, number>()
  const hashes = [...new Set(parts.map(part => part.hash))]
  for (const batch of inBatches(hashes, hashBatch)) {
    const rows = await db
      .selectFrom('content')
      .select(['hash', sql<number>`octet_length(body)`.as('length')])
      .where('organisation_id', 'in', [organisationId, 0])
      .where('hash', 'in', batch)
      .execute()
    for (const row of rows) lengths.set(row.hash, Number(row.length))
  }
  return lengths
}
