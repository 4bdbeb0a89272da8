import { foldName } from '@cadmus/model/paths'
import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { EntityRow } from './entity.ts'
import { containing, contains, readPlace, rowsBefore, writePlace, type Listed, type Page } from './page.ts'

export type EntityListQuery = Page & {
  filter?: 'ALL' | 'DEFAULT' | 'PRIVATE' | 'RESOLVED' | 'EXCLUSIVE'
  search?: string
  /** An entity id to leave out; -1 = none. */
  excluded?: number
  /** The whole folder; '' = any. */
  folderFilter?: string
  /** A part of the path, whatever its case; '' = any. */
  pathFilter?: string
  /** Only entities that this manifest owns. */
  manifestId?: number
}

/** A row whose `scopes` are the organisation's own where it set some. */
export type EntityListRow = Pick<
  EntityRow,
  'id' | 'name' | 'name_folded' | 'path' | 'folder' | 'type' | 'scopes' | 'organisation_id' | 'latest_version'
>

/** Entities of the organisation and of the library by name, then id. */
export async function listEntities(
  db: Db,
  organisationId: number,
  query: EntityListQuery,
): Promise<Listed<EntityListRow>> {
  const found = filtered(db, organisationId, query)
  const { total } = await found.select(count => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const place = query.after === undefined ? undefined : readPlace(query.after)
  const part = place
    ? found.where(or =>
        or.or([
          or('entity.name_folded', '>', place.name_folded),
          or.and([or('entity.name_folded', '=', place.name_folded), or('entity.id', '>', place.id)]),
        ]),
      )
    : found.offset(rowsBefore(query))
  const rows = await part
    .leftJoin('entity_scopes', join =>
      join.onRef('entity_scopes.entity_id', '=', 'entity.id').on('entity_scopes.organisation_id', '=', organisationId),
    )
    .select(listed)
    .select(sql<string>`coalesce(entity_scopes.scopes, entity.scopes)`.as('scopes'))
    .orderBy('entity.name_folded')
    .orderBy('entity.id')
    .limit(query.limit)
    .execute()
  const last = rows.at(-1)
  return { rows, total: Number(total), next: last && rows.length === query.limit ? writePlace(last) : null }
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

/** Folders that hold entities, by path; `search` is a part of a folder's own name. */
export async function entityFolders(
  db: Db,
  organisationId: number,
  query: Page & { search?: string },
): Promise<{ folders: { name: string; path: string }[]; total: number; next: string | null }> {
  const rows = await visible(db, [organisationId, 0]).select('entity.folder').distinct().execute()
  const search = foldName(query.search ?? '')
  const all = rows
    .map(({ folder: path }) => ({ path, name: path.slice(path.lastIndexOf('/') + 1) }))
    .filter(({ name }) => foldName(name).includes(search))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const after = query.after === undefined ? undefined : readPlace(query.after).name_folded
  const start = after === undefined ? rowsBefore(query) : all.filter(({ path }) => path <= after).length
  const folders = all.slice(start, start + query.limit)
  const last = folders.at(-1)
  const next = last && start + query.limit < all.length ? writePlace({ name_folded: last.path, id: 0 }) : null
  return { folders, total: all.length, next }
}

function filtered(db: Db, organisationId: number, query: EntityListQuery) {
  const { filter = 'ALL', excluded = -1, folderFilter = '', pathFilter = '', manifestId } = query
  let found = visible(db, organisationsOf(filter, organisationId))
  if (filter === 'EXCLUSIVE') found = found.where('entity.type', '=', 'EXCLUSIVE')
  if (filter === 'RESOLVED') found = found.where('entity.resolved', '=', 1)
  const search = foldName(query.search ?? '')
  if (search !== '') found = found.where(contains('entity.name_folded', search))
  if (excluded > 0) found = found.where('entity.id', '!=', excluded)
  if (folderFilter !== '') found = found.where('entity.folder', '=', folderFilter)
  if (pathFilter !== '') found = found.where(pathContains(pathFilter))
  if (manifestId !== undefined) found = found.where('entity.manifest_id', '=', manifestId)
  return found
}

/** Paths have no folded column: as written, or without case as far as the store folds letters. */
function pathContains(text: string) {
  const pattern = containing(text)
  const folded = containing(foldName(text))
  return sql<boolean>`(entity.path like ${pattern} escape '\\' or lower(entity.path) like ${folded} escape '\\')`
}

function visible(db: Db, organisationIds: readonly number[]) {
  return db
    .selectFrom('entity')
    .where('entity.organisation_id', 'in', organisationIds)
    .where('entity.import_id', '=', 0)
    .where('entity.hidden', '=', 0)
}

function organisationsOf(filter: NonNullable<EntityListQuery['filter']>, organisationId: number): number[] {
  if (filter === 'DEFAULT') return [0]
  return filter === 'PRIVATE' || filter === 'EXCLUSIVE' ? [organisationId] : [organisationId, 0]
}
