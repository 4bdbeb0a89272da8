import { limits } from '@cadmus/model/limits'
import { foldName } from '@cadmus/model/paths'
import { sql } from 'kysely'
import { inBatches, storable } from './statements.ts'
import type { Db } from './database.ts'
import { isSqlite } from './name-index.ts'
import { containing, contains } from './page.ts'
import { manifestsPendingDeletion } from './pending-deletion.ts'

export type AttributeMatch = {
  uid: string
  name: string
  entity_id: number
  entity_name: string
  path: string
  folder: string
  type: string
  /** Of a relationship: its first target and the target's name, null if it is missing. */
  to_id: number | null
  target: string | null
}

/** Maximum characters of a name in the index, as in its condition. */
const maxNameLength = 200
const isIndexed = sql<boolean>`length(entity_column.name) <= 200`
const batch = 500
/** Unused names that a search passes over: they are removed within the hour. */
const maxUnused = 1000

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
    const names = await attributeNamesWith(db, organisation, [foldName(storable(search))], limit)
    for (const part of inBatches(names, batch)) {
      if (result.length >= limit) return result.slice(0, limit)
      result.push(...(await attributesByNames(db, organisation, part, limit - result.length)))
    }
  }
  return result.slice(0, limit)
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

/**
 * Returns names that contain each term: first those that begin with the text, in the order of the index, which are often
 * enough; others by scanning a limited number of names.
 */
export async function attributeNamesWith(
  db: Db,
  organisationId: number,
  terms: readonly string[],
  limit: number,
): Promise<string[]> {
  const text = terms.join(' ')
  const beginning = await namesOf(db, organisationId)
    .where(({ and, eb }) =>
      isSqlite(db)
        ? and([eb('name_folded', '>=', text), eb('name_folded', '<', `${text}\u{10FFFF}`)])
        : sql<boolean>`${sql.ref('name_folded')} like ${containing(text).slice(1)} escape '\\'`,
    )
    .where(({ exists }) => exists(ofName(db, organisationId)))
    .orderBy('name_folded')
    .orderBy('name')
    .limit(limit)
    .execute()
  const names = beginning.map(({ name }) => name)
  if (names.length === limit) return names
  const others = await namesContaining(db, organisationId, terms, limit + maxUnused)
  return [...new Set([...names, ...others])].slice(0, limit)
}

function namesOf(db: Db, organisationId: number) {
  return db.selectFrom('attribute_name').select(['name', 'name_folded']).where('organisation_id', '=', organisationId)
}

/** Names in use among the first names that contain each term. */
async function namesContaining(
  db: Db,
  organisationId: number,
  terms: readonly string[],
  limit: number,
): Promise<string[]> {
  // Bounds the scan of organisations with very many distinct names.
  const existing = namesOf(db, organisationId).limit(limits.searchedAttributeNames).as('attribute_name')
  const matching = db
    .selectFrom(existing)
    .select(['name', 'name_folded'])
    .where(({ and }) => and(terms.map(term => (isSqlite(db) ? isIn(term) : contains('name_folded', term)))))
    .orderBy('name_folded')
    .orderBy('name')
    .limit(limit)
    .as('attribute_name')
  const rows = await db
    .selectFrom(matching)
    .select(['name', 'name_folded'])
    .where(({ exists }) => exists(ofName(db, organisationId)))
    .execute()
  const inOrder = rows.map(({ name, name_folded: folded }) => ({ name, at: `${folded}\0${name}` }))
  return inOrder.toSorted((one, other) => (one.at < other.at ? -1 : 1)).map(({ name }) => name)
}

/** Faster than a pattern on SQLite. */
function isIn(term: string) {
  return sql<boolean>`instr(name_folded, ${term}) > 0`
}

/** At most `limit` attributes and relationships with these names, in the order of the names. */
async function attributesByNames(
  db: Db,
  organisationId: number,
  names: readonly string[],
  limit: number,
): Promise<AttributeMatch[]> {
  if (names.length === 0) return []
  const rows = await attributesWithNames(db, organisationId, names, limit)
  // A name of many entities may leave no room for names before it.
  if (rows.length === limit && names.length > 1) {
    const middle = Math.ceil(names.length / 2)
    const first = await attributesByNames(db, organisationId, names.slice(0, middle), limit)
    const room = limit - first.length
    return room === 0 ? first : [...first, ...(await attributesByNames(db, organisationId, names.slice(middle), room))]
  }
  const places = new Map(names.map((name, index) => [name, index]))
  const placeOf = ({ name }: AttributeMatch) => places.get(name) ?? 0
  return rows.toSorted((one, other) => placeOf(one) - placeOf(other) || one.entity_id - other.entity_id)
}

/** Any attributes and relationships with these names; those of a single name by entity. */
export async function attributesWithNames(db: Db, organisationId: number, names: readonly string[], limit: number) {
  const matching = columnsWith(db, organisationId, names).limit(limit)
  return names.length > 1 ? matching.execute() : matching.orderBy('entity_column.entity_id').execute()
}

function columnsWith(db: Db, organisationId: number, names: readonly string[]) {
  return db
    .selectFrom('entity_column')
    .innerJoin('entity', join =>
      join
        .onRef('entity.organisation_id', '=', 'entity_column.organisation_id')
        .onRef('entity.id', '=', 'entity_column.entity_id'),
    )
    .leftJoin('entity_reference', join =>
      join
        .on('entity_reference.organisation_id', '=', organisationId)
        .onRef('entity_reference.from_id', '=', 'entity_column.entity_id')
        .onRef('entity_reference.attribute_uid', '=', 'entity_column.uid')
        .on('entity_reference.foreign_key', '!=', ''),
    )
    .leftJoin('entity as target', join =>
      join.on('target.organisation_id', 'in', [organisationId, 0]).onRef('target.id', '=', 'entity_reference.to_id'),
    )
    .select([
      'entity_column.uid',
      'entity_column.name',
      'entity_column.entity_id',
      'entity.name as entity_name',
      'entity.path',
      'entity.folder',
      'entity.type',
      'entity_reference.to_id',
      'target.name as target',
    ])
    .where('entity_column.organisation_id', '=', organisationId)
    .where('entity_column.name', 'in', names)
    .where(isIndexed)
    .where('entity.import_id', '=', 0)
    .where('entity.hidden', '=', 0)
    .where('entity.manifest_id', 'not in', manifestsPendingDeletion(db, [organisationId]))
}
