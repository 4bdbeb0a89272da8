import { createHash } from 'node:crypto'
import { inBatches } from './batches.ts'
import type { Clock } from './clock.ts'
import type { Db } from './database.ts'
import { adoptContents, noteLoose, withoutKept } from './loose-content.ts'

/** SHA-256 of a content's canonical JSON text, in hex: its name in the store and its ETag. */
export function hashOf(body: string): string {
  return createHash('sha256').update(body).digest('hex')
}

const rowsAStatement = 200

/** Stores contents (canonical JSON texts) once each and answers their hashes in the same order. */
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

/** Of an import that is not published yet: what it brings goes with it when it fails. */
export type Loose = { importId: number; clock: Clock }

/**
 * Stores contents by their hashes, once each. What another brings at the same time is there only when that one has ended, and
 * so is its note that it may be removed: what was not brought here is taken off the list once more, until it is seen to stay.
 */
export async function insertContents(
  db: Db,
  organisationId: number,
  contents: ReadonlyMap<string, string>,
  loose?: Loose,
): Promise<void> {
  // In one order, so that two who store the same do not wait for each other crosswise.
  let missing: readonly string[] = [...contents.keys()].toSorted()
  while (missing.length > 0) {
    await adoptContents(db, organisationId, missing, loose?.importId)
    const brought = await bring(db, organisationId, contents, { missing, loose })
    const others = missing.filter(hash => !brought.has(hash))
    await adoptContents(db, organisationId, others, loose?.importId)
    missing = await withoutKept(db, organisationId, others, loose?.importId)
  }
}

/** Answers the hashes of those that were not there before. */
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

/** The text of a content of this organisation or of the library. */
export async function contentByHash(db: Db, organisationId: number, hash: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('content')
    .select('body')
    .where('organisation_id', 'in', [organisationId, 0])
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row?.body
}
