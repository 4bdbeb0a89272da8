import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Clock, inBatches, rowsInBatches } from './statements.ts'
import type { Db } from './database.ts'
import { markUnreferenced, missingOrMarked, unmarkContents } from './unreferenced-content.ts'

/** SHA-256 of a content's canonical JSON text, in hex: its key in the store and its ETag. */
export function hashOf(body: string): string {
  return createHash('sha256').update(body).digest('hex')
}

const rowsPerStatement = 200

/** Stores contents (canonical JSON texts), each once, and returns their hashes in the same order. */
export async function putContents(
  db: Db,
  organisationId: number,
  bodies: readonly string[],
  importMark?: ImportMark,
): Promise<string[]> {
  const hashes = bodies.map(hashOf)
  const contents = new Map(bodies.map((body, index) => [hashes[index] ?? '', body]))
  await insertContents(db, organisationId, contents, importMark)
  return hashes
}

/** Marks contents of an unpublished import, to be removed if it fails. */
export type ImportMark = { importId: number; clock: Clock }

/**
 * Stores contents by hash, each once. A concurrently stored content and its removal mark become visible only when the
 * other transaction ends, so the contents of other transactions are unmarked repeatedly until they are permanent.
 */
export async function insertContents(
  db: Db,
  organisationId: number,
  contents: ReadonlyMap<string, string>,
  importMark?: ImportMark,
): Promise<void> {
  // A fixed order prevents deadlocks between writers of the same contents.
  let missing: readonly string[] = [...contents.keys()].toSorted()
  while (missing.length > 0) {
    await unmarkContents(db, organisationId, missing, importMark?.importId)
    const inserted = await insertMissing(db, organisationId, contents, { missing, importMark })
    const others = missing.filter(hash => !inserted.has(hash))
    await unmarkContents(db, organisationId, others, importMark?.importId)
    missing = await missingOrMarked(db, organisationId, others, importMark?.importId)
  }
}

/** Returns the hashes that were newly inserted. */
async function insertMissing(
  db: Db,
  organisationId: number,
  contents: ReadonlyMap<string, string>,
  { missing, importMark }: { missing: readonly string[]; importMark: ImportMark | undefined },
): Promise<Set<string>> {
  const all = new Set<string>()
  for (const part of inBatches(missing, rowsPerStatement)) {
    const rows = part.map(hash => ({ organisation_id: organisationId, hash, body: contents.get(hash) ?? '' }))
    const inserted = await db
      .insertInto('content')
      .values(rows)
      .onConflict(conflict => conflict.doNothing())
      .returning('hash')
      .execute()
    const hashes = inserted.map(row => row.hash)
    for (const hash of hashes) all.add(hash)
    if (importMark === undefined) continue
    await markUnreferenced(db, organisationId, hashes, { importId: importMark.importId, markedAt: importMark.clock })
  }
  return all
}

export async function putContent(db: Db, organisationId: number, body: string): Promise<string> {
  const [hash] = await putContents(db, organisationId, [body])
  return hash ?? hashOf(body)
}

/** Returns a content of the organisation or the library. */
export async function contentByHash(db: Db, organisationId: number, hash: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('content')
    .select('body')
    .where('organisation_id', 'in', [organisationId, 0])
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row?.body
}

const hashBatch = 200

/** Returns contents by hash, from the organisation or the library. */
export async function bodiesOf(
  db: Db,
  organisationId: number,
  parts: readonly { hash: string }[],
): Promise<Map<string, string>> {
  const hashes = [...new Set(parts.map(part => part.hash))]
  const rows = await rowsInBatches(hashes, hashBatch, part =>
    db
      .selectFrom('content')
      .select(['hash', 'body'])
      .where('organisation_id', 'in', [organisationId, 0])
      .where('hash', 'in', part)
      .execute(),
  )
  return new Map(rows.map(row => [row.hash, row.body]))
}

/** Returns the size of each content in bytes, without loading them. */
export async function lengthsOf(
  db: Db,
  organisationId: number,
  parts: readonly { hash: string }[],
): Promise<Map<string, number>> {
  const hashes = [...new Set(parts.map(part => part.hash))]
  const rows = await rowsInBatches(hashes, hashBatch, part =>
    db
      .selectFrom('content')
      // Reads only the row header; `length` would load every content.
      .select(['hash', sql<number>`octet_length(body)`.as('length')])
      .where('organisation_id', 'in', [organisationId, 0])
      .where('hash', 'in', part)
      .execute(),
  )
  return new Map(rows.map(row => [row.hash, Number(row.length)]))
}
