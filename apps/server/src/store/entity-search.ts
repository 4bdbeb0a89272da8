import { foldName } from '@cadmus/model/paths'
import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { NameMatches } from './name-index.ts'
import type { NameIndexes, OpenIndex } from './name-indexes.ts'
import { behind, rowsBefore, type Page } from './page.ts'

type EntitySearch = Page & {
  search?: string
  filter?: 'ALL' | 'DEFAULT' | 'PRIVATE' | 'RESOLVED' | 'EXCLUSIVE'
  excluded?: number
  folderFilter?: string
  pathFilter?: string
  order?: 'name' | 'match'
  near?: number
}

/** Pages beyond this offset are queried from the store. */
const maxOffset = 2000
/** Filters that exclude more are queried from the store. */
const maxExcluded = 1000
/** Ranks of matches: exact, prefix, substring. */
const ranks = 3

/**
 * Counts matching names and returns the candidates of a page, from the in-memory index. Null if the index cannot
 * answer: no search text, a folder or path filter, a large offset, or too many names.
 */
export async function searchNameIndexes(
  db: Db,
  indexes: NameIndexes,
  organisations: readonly number[],
  query: EntitySearch,
): Promise<NameMatches | null> {
  // As stored: unpaired surrogates are replaced.
  const text = foldName(query.search ?? '').toWellFormed()
  const after = placeIn(query)
  const before = after === undefined ? rowsBefore(query) : 0
  const hasPathFilter = (query.folderFilter ?? '') !== '' || (query.pathFilter ?? '') !== ''
  if (text === '' || text.includes('\0') || hasPathFilter || before + query.limit > maxOffset) return null
  const groups = new Map<number, number>()
  let total = 0
  for (const [part, organisation] of organisations.entries()) {
    const open = await indexes.open(db, organisation)
    const start = open && (await startIn(db, open, organisation, after))
    const excluded = await excludedBy(db, organisation, query)
    if (open === null || start === null || excluded === null) return null
    const group = query.order === 'match' ? relevanceGroup(part, part === 0 ? (query.near ?? -1) : -1) : null
    const result = open.nameIndex.find({
      text,
      excluded,
      pendingDeletion: open.pendingDeletion,
      group,
      limit: before + query.limit,
      start,
    })
    total += result.total
    for (const [id, of] of result.groups) groups.set(id, of)
  }
  return { total, groups }
}

/** Relevance order supports only numbered pages. */
export function placeIn({ order, after }: Pick<EntitySearch, 'order' | 'after'>): string | undefined {
  return order === 'match' ? undefined : after
}

/** Groups by the current manifest, the organisation's others and the library; in each by rank. */
function relevanceGroup(part: number, near: number) {
  return (manifestId: number, rank: number) => {
    const isNear = near > 0 && manifestId === near
    return (isNear ? 0 : part + 1) * ranks + rank
  }
}

/** Returns the index position of the first row after a list position; null if it is not in the index. */
async function startIn(
  db: Db,
  { nameIndex }: OpenIndex,
  organisationId: number,
  after?: string,
): Promise<number | null> {
  if (after === undefined) return 0
  const first = await db
    .selectFrom('entity')
    .select(['id', 'manifest_id', 'name_folded'])
    .where('organisation_id', '=', organisationId)
    .where('import_id', '=', 0)
    .where('hidden', '=', 0)
    .where(behind('name_folded', 'id', after))
    .orderBy('name_folded')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (first === undefined) return Number.POSITIVE_INFINITY
  const place = nameIndex.placeOf(first)
  return place < 0 ? null : place
}

/** Returns the entities the filter excludes, from partial indexes; null if there are many. */
async function excludedBy(
  db: Db,
  organisationId: number,
  { filter, excluded = -1 }: EntitySearch,
): Promise<ReadonlySet<number> | null> {
  const one = excluded > 0 ? [excluded] : []
  if (filter !== 'RESOLVED' && filter !== 'EXCLUSIVE') return new Set(one)
  const rows = await db
    .selectFrom('entity')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('import_id', '=', 0)
    .where('hidden', '=', 0)
    .where(filter === 'RESOLVED' ? sql<boolean>`resolved = 0` : sql<boolean>`type <> 'EXCLUSIVE'`)
    .limit(maxExcluded + 1)
    .execute()
  return rows.length > maxExcluded ? null : new Set([...one, ...rows.map(row => row.id)])
}
