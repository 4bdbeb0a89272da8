import { limits } from '@cadmus/model/limits'
import { foldName } from '@cadmus/model/paths'
import { sql } from 'kysely'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import { isSqlite } from './name-search.ts'
import { contains } from './page.ts'
import { storable } from './storable.ts'
import { unseenEntities } from './unseen.ts'

export type FoundAttribute = { uid: string; name: string; entity_id: number; entity_name: string; path: string }

/** What the index from names to attributes takes, as its condition says. */
const longest = 200
const isIndexed = sql<boolean>`length(entity_column.name) <= 200`
const batch = 500

/**
 * Attributes and foreign keys whose names contain the text, of the organisation and then of the library; in each the name itself
 * first, then names that begin with the text. Every name is looked at once, however many entities have it.
 */
export async function findAttributes(
  db: Db,
  organisationId: number,
  { search, limit }: { search: string; limit: number },
): Promise<FoundAttribute[]> {
  const found: FoundAttribute[] = []
  for (const organisation of new Set([organisationId, 0])) {
    for (const name of await namesWith(db, organisation, foldName(storable(search)), limit)) {
      if (found.length >= limit) return found
      found.push(...(await attributesNamed(db, organisation, name, limit - found.length)))
    }
  }
  return found
}

/**
 * Makes names known to the search; call it in the transaction that stores the attributes. A name that no attribute has any longer
 * finds nothing, and is forgotten by and by.
 */
export async function knowAttributeNames(db: Db, organisationId: number, names: Iterable<string>): Promise<void> {
  // In one order, so that two who bring the same names do not wait for each other crosswise.
  const rows = [...new Set(names)]
    .toSorted()
    .filter(name => Array.from(name).length <= longest)
    .map(name => ({ organisation_id: organisationId, name, name_folded: foldName(name) }))
  for (const part of inBatches(rows, batch)) await knowNames(db, organisationId, part)
}

type KnownName = { organisation_id: number; name: string; name_folded: string }

/** Until all are there and held, shared with others who know them too: whoever forgets names passes over those. */
async function knowNames(db: Db, organisationId: number, rows: readonly KnownName[]): Promise<void> {
  let missing = rows
  while (missing.length > 0) {
    await db
      .insertInto('attribute_name')
      .values(missing)
      .onConflict(known => known.columns(['organisation_id', 'name']).doNothing())
      .execute()
    // SQLite has one writer at a time.
    if (isSqlite(db)) return
    const held = await db
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
    const there = new Set(held.map(({ name }) => name))
    missing = missing.filter(({ name }) => !there.has(name))
  }
}

/**
 * Forgets, of up to `slice` names after that one, those that no attribute has any longer. Answers the last name it looked at;
 * undefined at the end.
 */
export async function forgetAttributeNames(
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
  if (unused.length > 0) await db.transaction().execute(tx => forgetUnused(tx, organisationId, unused))
  return names.at(-1)?.name
}

/**
 * Forgets those of the names that no attribute has. Takes them first and looks then: what somebody stored meanwhile is seen, and what
 * somebody is storing is passed over. Call it in a transaction.
 */
export async function forgetUnused(tx: Db, organisationId: number, names: readonly string[]): Promise<void> {
  for (const part of inBatches(names, batch)) await forgetPart(tx, organisationId, part)
}

async function forgetPart(tx: Db, organisationId: number, names: readonly string[]): Promise<void> {
  const taken = tx
    .selectFrom('attribute_name')
    .select('name')
    .where('organisation_id', '=', organisationId)
    .where('name', 'in', names)
  const mine = await (isSqlite(tx) ? taken : taken.forUpdate().skipLocked()).execute()
  if (mine.length === 0) return
  await tx
    .deleteFrom('attribute_name')
    .where('organisation_id', '=', organisationId)
    .where(
      'name',
      'in',
      mine.map(({ name }) => name),
    )
    .where(({ exists, not }) => not(exists(ofName(tx, organisationId))))
    .execute()
}

/** The attributes that have the name of the query's row. */
function ofName(db: Db, organisationId: number) {
  return db
    .selectFrom('entity_column')
    .select('entity_column.uid')
    .where('entity_column.organisation_id', '=', organisationId)
    .where('entity_column.name', '=', sql.ref<string>('attribute_name.name'))
    .where(isIndexed)
}

/** The names that contain the text: those that are it are looked up, the others are looked for among as many as the limit says. */
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
  // Whoever has more different names than anybody can mean does not make others wait.
  const known = ofOrganisation.limit(limits.searchedAttributeNames).as('attribute_name')
  const rows = await db
    .selectFrom(known)
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

function attributesNamed(db: Db, organisationId: number, name: string, limit: number): Promise<FoundAttribute[]> {
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
    .where('entity.id', 'not in', unseenEntities(db, [organisationId]))
    .orderBy('entity_column.entity_id')
    .limit(limit)
    .execute()
}
