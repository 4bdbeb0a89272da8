import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from './database.ts'
import { type Clock, fromNow, inBatches } from './statements.ts'

// Removable contents: contents of unpublished imports, and (import 0) contents without references in the last garbage
// collection. Storing a content unmarks it first. Both storing and removing lock the mark before the content, so each
// waits for the other.

/** Maximum number of contents in one statement. */
const batch = 200

/** Unmarks contents that other writers need, including contents stored by others. */
export async function unmarkContents(
  db: Db,
  organisationId: number,
  hashes: readonly string[],
  importId = 0,
): Promise<void> {
  for (const part of inBatches(hashes, batch)) {
    const others = db
      .deleteFrom('loose_content')
      .where('organisation_id', '=', organisationId)
      .where('hash', 'in', part)
    await (importId === 0 ? others : others.where('import_id', '!=', importId)).execute()
  }
}

/** Returns the contents that are missing, or marked as removable by others than this import. */
export async function missingOrMarked(
  db: Db,
  organisationId: number,
  hashes: readonly string[],
  importId = 0,
): Promise<string[]> {
  const permanent = new Set<string>()
  for (const part of inBatches(hashes, batch)) {
    // A single statement, to see both tables in the same snapshot.
    const rows = await db
      .selectFrom('content')
      .leftJoin('loose_content', join =>
        join
          .onRef('loose_content.organisation_id', '=', 'content.organisation_id')
          .onRef('loose_content.hash', '=', 'content.hash'),
      )
      .select(['content.hash', 'loose_content.import_id as markedBy'])
      .where('content.organisation_id', '=', organisationId)
      .where('content.hash', 'in', part)
      .execute()
    for (const { hash, markedBy } of rows) {
      if (markedBy === null || (importId !== 0 && markedBy === importId)) permanent.add(hash)
    }
  }
  return hashes.filter(hash => !permanent.has(hash))
}

/** Marks contents as removable, unless already marked. */
export async function markUnreferenced(
  db: Db,
  organisationId: number,
  hashes: readonly string[],
  { importId, markedAt }: { importId: number; markedAt: number | Clock },
): Promise<void> {
  for (const part of inBatches(hashes, batch)) {
    const rows = part.map(hash => ({ organisation_id: organisationId, hash, import_id: importId, noted_at: markedAt }))
    await db
      .insertInto('loose_content')
      .values(rows)
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }
}

/** Deletes some contents of an import that nothing else has stored since. Returns false at the end. */
export async function removeImportedContents(tx: Db, organisationId: number, importId: number): Promise<boolean> {
  const hashes = await markedHashes(tx, organisationId, importId)
  await removeMarked(tx, organisationId, hashes, importId)
  return hashes.length === batch
}

/** Unmarks the contents of a published import. Errors are harmless: marks of a published import are never acted on. */
export async function unmarkImportedContents(db: Db, organisationId: number, importId: number): Promise<void> {
  try {
    for (;;) {
      const hashes = await markedHashes(db, organisationId, importId)
      await unmarkContents(db, organisationId, hashes)
      if (hashes.length < batch) return
      await nextTurn()
    }
  } catch {
    return
  }
}

/** Returns those contents that a garbage collection marked at least `age` milliseconds ago. */
export async function markedBefore(
  db: Db,
  organisationId: number,
  hashes: readonly string[],
  { clock, age }: { clock: Clock; age: number },
): Promise<string[]> {
  const result: string[] = []
  for (const part of inBatches(hashes, batch)) {
    const rows = await db
      .selectFrom('loose_content')
      .select('hash')
      .where('organisation_id', '=', organisationId)
      .where('import_id', '=', 0)
      .where('hash', 'in', part)
      .where('noted_at', '<=', fromNow(clock, -age))
      .execute()
    result.push(...rows.map(row => row.hash))
  }
  return result
}

/** Deletes the contents still marked under this import. */
export async function removeMarked(
  tx: Db,
  organisationId: number,
  hashes: readonly string[],
  importId = 0,
): Promise<void> {
  if (hashes.length === 0) return
  const rows = await tx
    .deleteFrom('loose_content')
    .where('organisation_id', '=', organisationId)
    .where('import_id', '=', importId)
    .where('hash', 'in', hashes)
    .returning('hash')
    .execute()
  const removable = rows.map(row => row.hash)
  if (removable.length === 0) return
  await tx.deleteFrom('content').where('organisation_id', '=', organisationId).where('hash', 'in', removable).execute()
}

async function markedHashes(db: Db, organisationId: number, importId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('loose_content')
    .select('hash')
    .where('organisation_id', '=', organisationId)
    .where('import_id', '=', importId)
    .limit(batch)
    .execute()
  return rows.map(row => row.hash)
}
