import { foldName } from '@cadmus/model/paths'
import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { NamesFound } from './name-book.ts'
import type { NameBooks, OpenBook } from './name-books.ts'
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

/** A page further behind is asked of the store. */
const deepest = 2000
/** A filter that leaves out more is the store's affair. */
const mostLeftOut = 1000
/** Ranks of names: the text itself, beginning with it, containing it. */
const ranks = 3

/**
 * How many names contain the text, and the entities among which those of the page are: from the names that are kept in memory.
 * Null where that cannot say it: nothing is searched, a folder or a path is meant, the page lies far behind, there are too many names.
 */
export async function findInBooks(
  db: Db,
  books: NameBooks,
  organisations: readonly number[],
  query: EntitySearch,
): Promise<NamesFound | null> {
  // As a store reads it: half a character is no character there.
  const text = foldName(query.search ?? '').toWellFormed()
  const after = placeIn(query)
  const before = after === undefined ? rowsBefore(query) : 0
  const isElsewhere = (query.folderFilter ?? '') !== '' || (query.pathFilter ?? '') !== ''
  if (text === '' || text.includes('\0') || isElsewhere || before + query.limit > deepest) return null
  const groups = new Map<number, number>()
  let total = 0
  for (const [part, organisation] of organisations.entries()) {
    const open = await books.open(db, organisation)
    const start = open && (await startIn(db, open, organisation, after))
    const without = await leftOut(db, organisation, query)
    if (open === null || start === null || without === null) return null
    const group = query.order === 'match' ? likely(part, part === 0 ? (query.near ?? -1) : -1) : null
    const found = open.book.find({ text, without, unseen: open.unseen, group, most: before + query.limit, start })
    total += found.total
    for (const [id, of] of found.groups) groups.set(id, of)
  }
  return { total, groups }
}

/** What is ordered by likelihood has pages by number only. */
export function placeIn({ order, after }: Pick<EntitySearch, 'order' | 'after'>): string | undefined {
  return order === 'match' ? undefined : after
}

/** The manifest that is worked on, then the organisation's others, then the library; in each by rank. */
function likely(part: number, near: number) {
  return (manifestId: number, rank: number) => {
    const isNear = near > 0 && manifestId === near
    return (isNear ? 0 : part + 1) * ranks + rank
  }
}

/** The place on the sheet of what comes first behind the place in the list; null where it is not there. */
async function startIn(db: Db, { book }: OpenBook, organisationId: number, after?: string): Promise<number | null> {
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
  const place = book.placeOf(first)
  return place < 0 ? null : place
}

/** The few that the filter does not show, from the indexes that hold just them; null where they are many. */
async function leftOut(
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
    .limit(mostLeftOut + 1)
    .execute()
  return rows.length > mostLeftOut ? null : new Set([...one, ...rows.map(row => row.id)])
}
