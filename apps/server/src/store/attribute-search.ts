import { limits } from '@cadmus/model/limits'
import { foldName } from '@cadmus/model/paths'
import { sql } from 'kysely'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
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

/** Makes names known to the search. One that no attribute has any longer stays, and finds nothing. */
export async function knowAttributeNames(db: Db, organisationId: number, names: Iterable<string>): Promise<void> {
  const rows = [...new Set(names)]
    .filter(name => Array.from(name).length <= longest)
    .map(name => ({ organisation_id: organisationId, name, name_folded: foldName(name) }))
  for (const part of inBatches(rows, batch)) {
    await db
      .insertInto('attribute_name')
      .values(part)
      .onConflict(known => known.columns(['organisation_id', 'name']).doNothing())
      .execute()
  }
}

async function namesWith(db: Db, organisationId: number, text: string, limit: number): Promise<string[]> {
  const known = db
    .selectFrom('attribute_name')
    .select(['name', 'name_folded'])
    .where('organisation_id', '=', organisationId)
    // Whoever has more different names than anybody can mean does not make others wait.
    .limit(limits.searchedAttributeNames)
    .as('known')
  const rows = await db
    .selectFrom(known)
    .select('name')
    .where(contains('name_folded', text))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('entity_column')
          .select('entity_column.uid')
          .where('entity_column.organisation_id', '=', organisationId)
          .whereRef('entity_column.name', '=', 'known.name')
          .where(isIndexed),
      ),
    )
    .orderBy(
      sql`case when name_folded = ${text} then 0 when substr(name_folded, 1, ${Array.from(text).length}) = ${text} then 1 else 2 end`,
    )
    .orderBy('name_folded')
    .orderBy('name')
    .limit(limit)
    .execute()
  return rows.map(({ name }) => name)
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
