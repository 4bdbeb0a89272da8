import { createHash } from 'node:crypto'
import { inBatches } from './batches.ts'
import type { Clock } from './clock.ts'
import type { Db } from './database.ts'
import { adoptContents, noteLoose, withoutKept } from './loose-content.ts'

/** SHA-256 of a content's canonical JSON text, in hex: its key in the store and its ETag. */
export function hashOf(body: string): string {
  return createHash('sha256').update(body).digest('hex')
}

const rowsAStatement = 200

/** Stores contents (canonical JSON texts), each once, and returns their hashes in the same order. */
export async function putContents(
  db: Db,
  organisationId: number,
  bodies: readonly string[],
  loose?: Loose,
): Promise<string[]> {
  const hashes = bodies.map(hashOf)
  const contents = new Map(bodies.map((body, index) => [hashes[index] ?? '', body]))
  await insertContents(db, organisationId, contents, loose)
  return hashes
}

/** Marks contents of an unpublished import, to be removed if it fails. */
export type Loose = { importId: number; clock: Clock }

/**
 * Stores contents by hash, each once. A content stored concurrently is visible only after the other transaction ends,
 * and so is its removal mark: contents stored by others are unmarked again until they are seen to be permanent.
 */
export async function insertContents(
  db: Db,
  organisationId: number,
  contents: ReadonlyMap<string, string>,
  loose?: Loose,
): Promise<void> {
  // A fixed order prevents deadlocks between writers of the same contents.
  let missing: readonly string[] = [...contents.keys()].toSorted()
  while (missing.length > 0) {
    await adoptContents(db, organisationId, missing, loose?.importId)
    const brought = await bring(db, organisationId, contents, { missing, loose })
    const others = missing.filter(hash => !brought.has(hash))
    await adoptContents(db, organisationId, others, loose?.importId)
    missing = await withoutKept(db, organisationId, others, loose?.importId)
  }
}

/** Returns the hashes that were newly inserted. */
async function bring(
  db: Db,
  organisationId: number,
  contents: ReadonlyMap<string, string>,
  { missing, loose }: { missing: readonly string[]; loose: Loose | undefined },
): Promise<Set<string>> {
  const all = new Set<string>()
  for (const part of inBatches(missing, rowsAStatement)) {
    const rows = part.map(hash => ({ organisation_id: organisationId, hash, body: contents.get(hash) ?? '' }))
    const brought = await db
      .insertInto('content')
      .values(rows)
      .onConflict(conflict => conflict.doNothing())
      .returning('hash')
      .execute()
    const hashes = brought.map(row => row.hash)
    for (const hash of hashes) all.add(hash)
    if (loose === undefined) continue
    await noteLoose(db, organisationId, hashes, { importId: loose.importId, notedAt: loose.clock })
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
