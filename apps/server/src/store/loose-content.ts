import { setImmediate as nextTurn } from 'node:timers/promises'
import { inBatches } from './batches.ts'
import { fromNow, type Clock } from './clock.ts'
import type { Db } from './database.ts'

/**
 * Contents that may be removed again: those that an import brought which is not published yet, and (import 0) those that nothing
 * referred to when the store was last looked through. Whoever stores the same content takes it off the list first: it and
 * whoever removes contents take the row of the list before the content, so that one of them waits for the other.
 */
const batch = 200

/** The contents are needed by others than this import, whatever becomes of those that brought them. */
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

/** Of these contents those that are not there, or may be removed by others than this import. */
export async function withoutKept(
  db: Db,
  organisationId: number,
  hashes: readonly string[],
  importId = 0,
): Promise<string[]> {
  const kept = new Set<string>()
  for (const part of inBatches(hashes, batch)) {
    // One statement, so that both are looked at in one moment.
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

/** Notes contents as removable, unless they are noted already. */
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

/** Removes some of the contents that an import brought and nobody else has stored since. False when there are no more. */
export async function removeImportedContents(tx: Db, organisationId: number, importId: number): Promise<boolean> {
  const hashes = await looseHashes(tx, organisationId, importId)
  await removeNoted(tx, organisationId, hashes, importId)
  return hashes.length === batch
}

/**
 * Takes the contents of a published import off the list. Where that fails nothing is lost: nobody removes what stands there under
 * an import that was published.
 */
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

/** Of these contents those that were noted so many milliseconds ago by a look through the store. */
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

/** Removes the contents that are still on the list under that import. */
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
