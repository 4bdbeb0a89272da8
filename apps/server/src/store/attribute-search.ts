import { limits } from '@cadmus/model/limits'
import { foldName } from '@cadmus/model/paths'
import { sql } from 'kysely'
import { inBatches, storable } from './statements.ts'
import type { Db } from './database.ts'
import { isSqlite } from './name-index.ts'
import { contains } from './page.ts'
import { entitiesPendingDeletion } from './pending-deletion.ts'

export type AttributeMatch = { uid: string; name: string; entity_id: number; entity_name: string; path: string }

/** Maximum characters of a name in the index, as in its condition. */
const maxNameLength = 200
const isIndexed = sql<boolean>`length(entity_column.name) <= 200`
const batch = 500

/**
 * Finds attributes and foreign keys whose names contain the text, first of the organisation, then of the library; in
 * each, exact matches first, then prefix matches. Scans each distinct name once, however many entities use it.
 */
export async function findAttributes(
  db: Db,
  organisationId: number,
  { search, limit }: { search: string; limit: number },
): Promise<AttributeMatch[]> {
  const result: AttributeMatch[] = []
  for (const organisation of new Set([organisationId, 0])) {
    for (const name of await namesWith(db, organisation, foldName(storable(search)), limit)) {
      if (result.length >= limit) return result
      result.push(...(await attributesNamed(db, organisation, name, limit - result.length)))
    }
  }
  return result
}

/**
 * Adds names to the search index; call it in the transaction that stores the attributes. Names no longer in use match
 * nothing and are removed later.
 */
export async function addAttributeNames(db: Db, organisationId: number, names: Iterable<string>): Promise<void> {
  // A fixed order prevents deadlocks between writers of the same names.
  const rows = [...new Set(names)]
    .toSorted()
    .filter(name => Array.from(name).length <= maxNameLength)
    .map(name => ({ organisation_id: organisationId, name, name_folded: foldName(name) }))
  for (const part of inBatches(rows, batch)) await insertNames(db, organisationId, part)
}

type NameRow = { organisation_id: number; name: string; name_folded: string }

/** Inserts the names and share-locks them, so that a concurrent removal skips them. */
async function insertNames(db: Db, organisationId: number, rows: readonly NameRow[]): Promise<void> {
  let missing = rows
  while (missing.length > 0) {
    await db
      .insertInto('attribute_name')
      .values(missing)
      .onConflict(existing => existing.columns(['organisation_id', 'name']).doNothing())
      .execute()
    // SQLite allows only one writer at a time.
    if (isSqlite(db)) return
    const locked = await db
      .selectFrom('attribute_name')
      .select('name')
      .where('organisation_id', '=', organisationId)
      .where(
        'name',
        'in',
        missing.map(({ name }) => name),
      )
      .forKeyShare()
      .execute()
    const present = new Set(locked.map(({ name }) => name))
    missing = missing.filter(({ name }) => !present.has(name))
  }
}

/** Removes unused names among the next `slice` names. Returns the last name checked; undefined at the end. */
export async function deleteUnusedAttributeNames(
  db: Db,
  organisationId: number,
  after: string,
  slice = batch,
): Promise<string | undefined> {
  const names = await db
    .selectFrom('attribute_name')
    .select(({ exists, not }) => ['name', not(exists(ofName(db, organisationId))).as('unused')])
    .where('organisation_id', '=', organisationId)
    .where('name', '>', after)
    .orderBy('name')
    .limit(slice)
    .execute()
  const unused = names.filter(row => row.unused).map(({ name }) => name)
  if (unused.length > 0) await db.transaction().execute(tx => deleteUnusedNames(tx, organisationId, unused))
  return names.at(-1)?.name
}

/**
 * Removes unused names. Locks them before checking, so that concurrent uses are either visible or skipped. Call it in a
 * transaction.
 */
export async function deleteUnusedNames(tx: Db, organisationId: number, names: readonly string[]): Promise<void> {
  for (const part of inBatches(names, batch)) await deleteUnusedPart(tx, organisationId, part)
}

async function deleteUnusedPart(tx: Db, organisationId: number, names: readonly string[]): Promise<void> {
  const candidates = tx
    .selectFrom('attribute_name')
    .select('name')
    .where('organisation_id', '=', organisationId)
    .where('name', 'in', names)
  const locked = await (isSqlite(tx) ? candidates : candidates.forUpdate().skipLocked()).execute()
  if (locked.length === 0) return
  await tx
    .deleteFrom('attribute_name')
    .where('organisation_id', '=', organisationId)
    .where(
      'name',
      'in',
      locked.map(({ name }) => name),
    )
    .where(({ exists, not }) => not(exists(ofName(tx, organisationId))))
    .execute()
}

/** The attributes with the name of the outer query's row. */
function ofName(db: Db, organisationId: number) {
  return db
    .selectFrom('entity_column')
    .select('entity_column.uid')
    .where('entity_column.organisation_id', '=', organisationId)
    .where('entity_column.name', '=', sql.ref<string>('attribute_name.name'))
    .where(isIndexed)
}

/** Returns names that contain the text: exact matches by index, others by scanning a limited number of names. */
async function namesWith(db: Db, organisationId: number, text: string, limit: number): Promise<string[]> {
  const ofOrganisation = db
    .selectFrom('attribute_name')
    .select(['name', 'name_folded'])
    .where('organisation_id', '=', organisationId)
  const equal = await ofOrganisation
    .where('name_folded', '=', text)
    .where(({ exists }) => exists(ofName(db, organisationId)))
    .orderBy('name')
    .limit(limit)
    .execute()
  // Bounds the scan of organisations with very many distinct names.
  const existing = ofOrganisation.limit(limits.searchedAttributeNames).as('attribute_name')
  const rows = await db
    .selectFrom(existing)
    .select('name')
    .where(contains('name_folded', text))
    .where('name_folded', '!=', text)
    .where(({ exists }) => exists(ofName(db, organisationId)))
    .orderBy(sql`case when substr(name_folded, 1, ${Array.from(text).length}) = ${text} then 1 else 2 end`)
    .orderBy('name_folded')
    .orderBy('name')
    .limit(limit)
    .execute()
  return [...equal, ...rows].slice(0, limit).map(({ name }) => name)
}

function attributesNamed(db: Db, organisationId: number, name: string, limit: number): Promise<AttributeMatch[]> {
  return db
    .selectFrom('entity_column')
    .innerJoin('entity', join =>
      join
        .onRef('entity.organisation_id', '=', 'entity_column.organisation_id')
        .onRef('entity.id', '=', 'entity_column.entity_id'),
    )
    .select([
      'entity_column.uid',
      'entity_column.name',
      'entity_column.entity_id',
      'entity.name as entity_name',
      'entity.path',
    ])
    .where('entity_column.organisation_id', '=', organisationId)
    .where('entity_column.name', '=', name)
    .where(isIndexed)
    .where('entity.import_id', '=', 0)
    .where('entity.hidden', '=', 0)
    .where('entity.id', 'not in', entitiesPendingDeletion(db, [organisationId]))
    .orderBy('entity_column.entity_id')
    .limit(limit)
    .execute()
}
