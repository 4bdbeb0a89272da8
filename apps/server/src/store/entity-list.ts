import { type RawBuilder, sql } from 'kysely'
import { matchRank } from '@cadmus/model/match-rank'
import { foldName } from '@cadmus/model/paths'
import { countedFolders, counterValue } from './counters.ts'
import type { Db } from './database.ts'
import type { EntityRow } from './entity.ts'
import { entityNameMatches, type NameMatches } from './name-index.ts'
import type { NameIndexes, OpenIndex } from './name-indexes.ts'
import { behind, containing, type Listed, type Page, readPlace, rowsBefore, writePlace } from './page.ts'
import { entitiesPendingDeletion, hasPendingDeletions } from './pending-deletion.ts'

export type EntityListQuery = Page & {
  filter?: 'ALL' | 'DEFAULT' | 'PRIVATE' | 'RESOLVED' | 'EXCLUSIVE'
  search?: string
  /** An entity id to exclude; -1 = none. */
  excluded?: number
  /** The exact folder; '' = any. */
  folderFilter?: string
  /** A part of the path, case-insensitive; '' = any. */
  pathFilter?: string
  /** 'match': by relevance, see `placesByRelevance`. */
  order?: 'name' | 'match'
  /** With 'match': the manifest whose entities come first; -1 = none. */
  near?: number
}

/** A row with the organisation's own `scopes`, if it set any. */
export type EntityListRow = Pick<
  EntityRow,
  'id' | 'name' | 'name_folded' | 'path' | 'folder' | 'type' | 'scopes' | 'organisation_id' | 'latest_version'
>

/**
 * Lists entities of the organisation and the library, by name and id or by relevance. `indexes` speeds up searches
 * without changing the result.
 */
export async function listEntities(
  db: Db,
  organisationId: number,
  query: EntityListQuery,
  indexes?: NameIndexes,
): Promise<Listed<EntityListRow>> {
  const organisations = organisationsOf(query.filter ?? 'ALL', organisationId)
  const matching = indexes && (await searchNameIndexes(db, indexes, organisations, query))
  const page = matching && (await pageOf(db, organisationId, query, matching))
  if (page) return page
  const prepared = await prepareQuery(db, organisationId, query)
  const byRelevance = query.order === 'match'
  const places = await (byRelevance
    ? placesByRelevance(db, organisationId, prepared)
    : placesOf(db, organisationId, prepared))
  const total = endOf(query, places.length) ?? (await totalOf(db, organisationId, prepared))
  const ids = places.map(({ id }) => id)
  const rows = (await rowsOf(db, organisationId, ids)).map(({ row }) => row)
  if (byRelevance) return { rows: rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)), total, next: null }
  const last = places.at(-1)
  return { rows, total, next: last && places.length === query.limit ? writePlace(last) : null }
}

/**
 * Returns the page of found entities in the store's order. Null if some were deleted since the search: a short page
 * would look like the last one.
 */
async function pageOf(
  db: Db,
  organisationId: number,
  query: EntityListQuery,
  { groups, total }: NameMatches,
): Promise<Listed<EntityListRow> | null> {
  const after = placeIn(query)
  const there = await rowsOf(db, organisationId, [...groups.keys()], after)
  if (there.length < groups.size) return null
  const matching = there.flatMap(({ isBehind, row }) => (isBehind ? [row] : []))
  const groupOf = (row: EntityListRow) => groups.get(row.id) ?? 0
  const before = after === undefined ? rowsBefore(query) : 0
  const rows = matching.toSorted((a, b) => groupOf(a) - groupOf(b)).slice(before, before + query.limit)
  const last = query.order === 'match' ? undefined : rows.at(-1)
  return { rows, total, next: last && rows.length === query.limit ? writePlace(last) : null }
}

/** The query with its derived SQL conditions. */
type PreparedQuery = EntityListQuery & { matches: RawBuilder<boolean> | null; hasPendingDeletions: boolean }

async function prepareQuery(db: Db, organisationId: number, query: EntityListQuery): Promise<PreparedQuery> {
  const search = foldName(query.search ?? '')
  const matches = search === '' ? null : await entityNameMatches(db, search)
  return { ...query, matches, hasPendingDeletions: await hasPendingDeletions(db, [organisationId, 0]) }
}

/** Returns the total if the page is the last one, which saves a count. */
function endOf(query: EntityListQuery, matching: number): number | null {
  const before = query.order === 'match' || query.after === undefined ? rowsBefore(query) : null
  return before !== null && matching < query.limit && (before === 0 || matching > 0) ? before + matching : null
}

const listed = [
  'entity.id',
  'entity.name',
  'entity.name_folded',
  'entity.path',
  'entity.folder',
  'entity.type',
  'entity.organisation_id',
  'entity.latest_version',
] as const

/** Folders that contain entities, filtered and paged. */
export async function entityFolders(
  db: Db,
  organisationId: number,
  query: Page & { search?: string },
): Promise<{ folders: { name: string; path: string }[]; total: number; next: string | null }> {
  return folderPage(await countedFolders(db, [organisationId, 0]), query)
}

/** Uses the stored counters where possible, minus the few entities the filter excludes; otherwise counts by index. */
async function totalOf(db: Db, organisationId: number, query: PreparedQuery): Promise<number> {
  const { filter = 'ALL', pathFilter = '', folderFilter: folder = '', excluded = -1 } = query
  const organisations = organisationsOf(filter, organisationId)
  const isPlain = query.matches === null && pathFilter === ''
  const excludesSome = filter === 'RESOLVED' || filter === 'EXCLUSIVE'
  if (!isPlain || (excludesSome && (folder !== '' || excluded > 0))) {
    let total = 0
    for (const one of organisations) total += await countOf(filtered(db, one, query))
    return total
  }
  const all = await counterValue(db, organisations, { name: 'entities', folder })
  if (excludesSome) return all - (await excludedBy(db, organisations, filter))
  if (excluded <= 0) return all
  let without = 0
  for (const one of organisations) {
    without += await countOf(filtered(db, one, { ...query, excluded: -1 }).where('entity.id', '=', excluded))
  }
  return all - without
}

async function countOf(matching: ReturnType<typeof filtered>): Promise<number> {
  const { total } = await matching.select(count => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return Number(total)
}

/** Counts the entities the filter excludes. The conditions must match those of the partial indexes. */
async function excludedBy(db: Db, organisations: readonly number[], filter: 'RESOLVED' | 'EXCLUSIVE'): Promise<number> {
  const others = filter === 'RESOLVED' ? sql<boolean>`resolved = 0` : sql<boolean>`type <> 'EXCLUSIVE'`
  const { total } = await visible(db, organisations, true)
    .where(others)
    .select(count => count.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/**
 * Merges the first rows of each organisation, read in index order. PostgreSQL would sort all rows if the parts had no
 * limit of their own.
 */
async function placesOf(db: Db, organisationId: number, query: PreparedQuery) {
  const [first = organisationId, second] = organisationsOf(query.filter ?? 'ALL', organisationId)
  const part = (one: number) => {
    const matching = filtered(db, one, query).select(['entity.name_folded', 'entity.id'])
    return query.after === undefined ? matching : matching.where(behind('entity.name_folded', 'entity.id', query.after))
  }
  const before = query.after === undefined ? rowsBefore(query) : 0
  const ordered = (one: number) => part(one).orderBy('entity.name_folded').orderBy('entity.id')
  if (second === undefined) return ordered(first).limit(query.limit).offset(before).execute()
  const partOf = (one: number) =>
    db
      .selectFrom(
        ordered(one)
          .limit(before + query.limit)
          .as('part'),
      )
      .select(['part.name_folded', 'part.id'])
  const both = partOf(first).unionAll(partOf(second)).orderBy('name_folded').orderBy('id')
  return both.limit(query.limit).offset(before).execute()
}

/**
 * Orders by relevance: the current manifest's entities, the organisation's others, then the library's; in each, exact
 * matches first, then prefixes. Rows before the page are counted, not read.
 */
async function placesByRelevance(db: Db, organisationId: number, query: PreparedQuery) {
  const [first = organisationId, ...others] = organisationsOf(query.filter ?? 'ALL', organisationId)
  const near = query.near ?? -1
  const parts =
    near > 0
      ? [
          filtered(db, first, query).where('entity.manifest_id', '=', near),
          filtered(db, first, query).where('entity.manifest_id', '!=', near),
        ]
      : [filtered(db, first, query)]
  const places: { name_folded: string; id: number }[] = []
  let before = rowsBefore(query)
  for (const part of [...parts, ...others.map(one => filtered(db, one, query))]) {
    const count = before > 0 ? await countOf(part) : 0
    if (before > 0 && count <= before) {
      before -= count
      continue
    }
    places.push(...(await byMatch(part, foldName(query.search ?? ''), before, query.limit - places.length)))
    before = 0
    if (places.length === query.limit) break
  }
  return places
}

function byMatch(matching: ReturnType<typeof filtered>, search: string, offset: number, limit: number) {
  const named = matching.select(['entity.name_folded', 'entity.id'])
  // The store counts code points.
  const start = sql<boolean>`substr(entity.name_folded, 1, ${Array.from(search).length}) = ${search}`
  const ranked =
    search === ''
      ? named
      : named.orderBy(sql`case when entity.name_folded = ${search} then 0 when ${start} then 1 else 2 end`)
  return ranked.orderBy('entity.name_folded').orderBy('entity.id').offset(offset).limit(limit).execute()
}

/** Rows by name and id, each with whether it is after the given place. */
async function rowsOf(
  db: Db,
  organisationId: number,
  ids: readonly number[],
  after?: string,
): Promise<{ row: EntityListRow; isBehind: boolean }[]> {
  if (ids.length === 0) return []
  const matching = db
    .selectFrom('entity')
    .leftJoin('entity_scopes', join =>
      join.onRef('entity_scopes.entity_id', '=', 'entity.id').on('entity_scopes.organisation_id', '=', organisationId),
    )
    .select(listed)
    .select(sql<string>`coalesce(entity_scopes.scopes, entity.scopes)`.as('scopes'))
    .where('entity.organisation_id', 'in', [organisationId, 0])
    .where('entity.id', 'in', ids)
    .orderBy('entity.name_folded')
    .orderBy('entity.id')
  if (after === undefined) return (await matching.execute()).map(row => ({ row, isBehind: true }))
  const rows = await matching.select(behind('entity.name_folded', 'entity.id', after).as('isBehind')).execute()
  // SQLite returns 0 and 1.
  return rows.map(({ isBehind: flag, ...row }) => ({ row, isBehind: Boolean(flag) }))
}

function filtered(db: Db, organisationId: number, query: PreparedQuery) {
  const { filter = 'ALL', excluded = -1, folderFilter = '', pathFilter = '' } = query
  let matching = visible(db, [organisationId], query.hasPendingDeletions)
  if (filter === 'EXCLUSIVE') matching = matching.where('entity.type', '=', 'EXCLUSIVE')
  if (filter === 'RESOLVED') matching = matching.where('entity.resolved', '=', 1)
  if (query.matches) matching = matching.where(query.matches)
  if (excluded > 0) matching = matching.where('entity.id', '!=', excluded)
  if (folderFilter !== '') matching = matching.where('entity.folder', '=', folderFilter)
  if (pathFilter !== '') matching = matching.where(pathContains(pathFilter))
  return matching
}

/** Paths have no folded column: matches exactly, or case-insensitively as far as the database folds letters. */
function pathContains(text: string) {
  const pattern = containing(text)
  const folded = containing(foldName(text))
  return sql<boolean>`(entity.path like ${pattern} escape '\\' or lower(entity.path) like ${folded} escape '\\')`
}

function visible(db: Db, organisationIds: readonly number[], hasPendingDeletions: boolean) {
  const visible = db
    .selectFrom('entity')
    .where('entity.organisation_id', 'in', organisationIds)
    .where('entity.import_id', '=', 0)
    .where('entity.hidden', '=', 0)
  return hasPendingDeletions
    ? visible.where('entity.id', 'not in', entitiesPendingDeletion(db, organisationIds))
    : visible
}

function organisationsOf(filter: NonNullable<EntityListQuery['filter']>, organisationId: number): number[] {
  if (filter === 'DEFAULT') return [0]
  return filter === 'PRIVATE' || filter === 'EXCLUSIVE' || organisationId === 0 ? [organisationId] : [organisationId, 0]
}

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
    const excluded = await excludedIds(db, organisation, query)
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
function placeIn({ order, after }: Pick<EntitySearch, 'order' | 'after'>): string | undefined {
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
async function excludedIds(
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

type Folder = { name: string; path: string }

/**
 * Returns a page of folders by path. `search` matches a part of a folder's own name; exact matches come first, then
 * prefixes.
 */
export function folderPage(
  paths: readonly string[],
  query: Page & { search?: string },
): { folders: Folder[]; total: number; next: string | null } {
  const search = foldName(query.search ?? '')
  const all = paths
    .map(path => ({ path, name: path.slice(path.lastIndexOf('/') + 1) }))
    .filter(({ name }) => foldName(name).includes(search))
    .map(folder => ({ folder, rank: matchRank(foldName(folder.name), search) }))
    .toSorted((a, b) => a.rank - b.rank || (a.folder.path < b.folder.path ? -1 : 1))
  const after = query.after === undefined ? undefined : readPlace(query.after)
  const start = after === undefined ? rowsBefore(query) : all.filter(one => !isBehind(one, after)).length
  const part = all.slice(start, start + query.limit)
  const last = part.at(-1)
  const isEnd = last === undefined || start + query.limit >= all.length
  const next = isEnd ? null : writePlace({ name_folded: last.folder.path, id: last.rank })
  return { folders: part.map(({ folder }) => folder), total: all.length, next }
}

function isBehind(
  { folder, rank }: { folder: Folder; rank: number },
  after: { name_folded: string; id: number },
): boolean {
  return rank > after.id || (rank === after.id && folder.path > after.name_folded)
}
