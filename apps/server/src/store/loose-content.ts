import { setImmediate as nextTurn } from 'node:timers/promises'
import { inBatches } from './batches.ts'
import { fromNow, type Clock } from './clock.ts'
import type { Db } from './database.ts'

/**
 * Removable contents: those of unpublished imports, and (import 0) those found unreferenced by the last garbage
 * collection. Storing a content unmarks it first. Both storing and removing lock the mark before the content, so one
 * waits for the other.
 */
const batch = 200

/** Unmarks contents that other writers need, whoever stored them. */
export async function adoptContents(
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
export async function withoutKept(
  db: Db,
  organisationId: number,
  hashes: readonly string[],
  importId = 0,
): Promise<string[]> {
  const kept = new Set<string>()
  for (const part of inBatches(hashes, batch)) {
    // A single statement, to see both tables in the same snapshot.
    const rows = await db
      .selectFrom('content')
      .leftJoin('loose_content', join =>
        join
          .onRef('loose_content.organisation_id', '=', 'content.organisation_id')
          .onRef('loose_content.hash', '=', 'content.hash'),
      )
      .select(['content.hash', 'loose_content.import_id as looseIn'])
      .where('content.organisation_id', '=', organisationId)
      .where('content.hash', 'in', part)
      .execute()
    for (const { hash, looseIn } of rows) {
      if (looseIn === null || (importId !== 0 && looseIn === importId)) kept.add(hash)
    }
  }
  return hashes.filter(hash => !kept.has(hash))
}

/** Marks contents as removable, unless already marked. */
export async function noteLoose(
  db: Db,
  organisationId: number,
  hashes: readonly string[],
  { importId, notedAt }: { importId: number; notedAt: number | Clock },
): Promise<void> {
  for (const part of inBatches(hashes, batch)) {
    const rows = part.map(hash => ({ organisation_id: organisationId, hash, import_id: importId, noted_at: notedAt }))
    await db
      .insertInto('loose_content')
      .values(rows)
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }
}

/** Deletes some contents of an import that nothing else has stored since. Returns false when none are left. */
export async function removeImportedContents(tx: Db, organisationId: number, importId: number): Promise<boolean> {
  const hashes = await looseHashes(tx, organisationId, importId)
  await removeNoted(tx, organisationId, hashes, importId)
  return hashes.length === batch
}

/** Unmarks the contents of a published import. Errors are harmless: marks of a published import are never acted on. */
export async function keepImportedContents(db: Db, organisationId: number, importId: number): Promise<void> {
  try {
    for (;;) {
      const hashes = await looseHashes(db, organisationId, importId)
      await adoptContents(db, organisationId, hashes)
      if (hashes.length < batch) return
      await nextTurn()
    }
  } catch {
    return
  }
}

/** Returns those contents that a garbage collection marked at least `age` milliseconds ago. */
export async function notedBefore(
  db: Db,
  organisationId: number,
  hashes: readonly string[],
  { clock, age }: { clock: Clock; age: number },
): Promise<string[]> {
  const found: string[] = []
  for (const part of inBatches(hashes, batch)) {
    const rows = await db
      .selectFrom('loose_content')
      .select('hash')
      .where('organisation_id', '=', organisationId)
      .where('import_id', '=', 0)
      .where('hash', 'in', part)
      .where('noted_at', '<=', fromNow(clock, -age))
      .execute()
    found.push(...rows.map(row => row.hash))
  }
  return found
}

/** Deletes the contents still marked under this import. */
export async function removeNoted(
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
  const still = rows.map(row => row.hash)
  if (still.length === 0) return
  await tx.deleteFrom('content').where('organisation_id', '=', organisationId).where('hash', 'in', still).execute()
}

async function looseHashes(db: Db, organisationId: number, importId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('loose_content')
    .select('hash')
    .where('organisation_id', '=', organisationId)
    .where('import_id', '=', importId)
    .limit(batch)
    .execute()
  return rows.map(row => row.hash)
}
