import { foldName } from '@cadmus/model/paths'
import type { Db } from './database.ts'
import type { ManifestRow } from './manifest.ts'
import { contains, readPlace, writePlace, type Listed, type Page } from './page.ts'

export type ManifestListQuery = Page & {
  filter?: 'ALL' | 'DEFAULT' | 'PRIVATE'
  search?: string
  /** A manifest id to leave out; -1 = none. */
  exclude?: number
  folder?: string
}

/** Manifests of the organisation and of the library by name, then id. */
export async function listManifests(
  db: Db,
  organisationId: number,
  query: ManifestListQuery,
): Promise<Listed<ManifestRow>> {
  let found = visible(db, organisationsOf(query.filter ?? 'ALL', organisationId))
  const search = foldName(query.search ?? '')
  if (search !== '') found = found.where(contains('name_folded', search))
  if (query.exclude !== undefined && query.exclude > 0) found = found.where('id', '!=', query.exclude)
  if (query.folder !== undefined) found = found.where('folder', '=', query.folder)
  const { total } = await found.select(count => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  let part = found.selectAll().orderBy('name_folded').orderBy('id').limit(query.limit)
  if (query.after === undefined) part = part.offset(query.page * query.limit)
  else {
    const place = readPlace(query.after)
    part = part.where(or =>
      or.or([
        or('name_folded', '>', place.name_folded),
        or.and([or('name_folded', '=', place.name_folded), or('id', '>', place.id)]),
      ]),
    )
  }
  return listed(await part.execute(), Number(total), query.limit)
}

/** The manifests that list this one as a sub-manifest, by name, then id. */
export async function parentsOf(
  db: Db,
  organisationId: number,
  id: number,
  query: Page & { search?: string },
): Promise<Listed<ManifestRow>> {
  const parents = db
    .selectFrom('manifest_sub_manifest')
    .select('manifest_id')
    .where('organisation_id', 'in', [organisationId, 0])
    .where('sub_manifest_id', '=', id)
  let found = visible(db, [organisationId, 0]).where('id', 'in', parents)
  const search = foldName(query.search ?? '')
  if (search !== '') found = found.where(contains('name_folded', search))
  const rows = await found.selectAll().orderBy('name_folded').orderBy('id').execute()
  const start = query.after === undefined ? query.page * query.limit : placeAfter(rows, query.after)
  return listed(rows.slice(start, start + query.limit), rows.length, query.limit)
}

/** The manifest's sub-manifests in the order that a person set. */
export async function subManifestsOf(
  db: Db,
  manifest: Pick<ManifestRow, 'id' | 'organisation_id'>,
): Promise<ManifestRow[]> {
  const places = await db
    .selectFrom('manifest_sub_manifest')
    .select(['sub_manifest_id', 'sub_organisation_id'])
    .where('organisation_id', '=', manifest.organisation_id)
    .where('manifest_id', '=', manifest.id)
    .orderBy('position')
    .execute()
  if (places.length === 0) return []
  const rows = await visible(db, [manifest.organisation_id, 0])
    .selectAll()
    .where(
      'id',
      'in',
      places.map(place => place.sub_manifest_id),
    )
    .execute()
  const byId = new Map(rows.map(row => [row.id, row]))
  return places.flatMap(place => byId.get(place.sub_manifest_id) ?? [])
}

/** Folders that hold manifests, by path. */
export async function manifestFolders(
  db: Db,
  organisationId: number,
  query: Page & { search?: string },
): Promise<{ folders: string[]; total: number }> {
  let found = visible(db, [organisationId, 0])
  const search = (query.search ?? '').trim()
  // Folders are compared as they are, without case where the letters are ASCII: there is no folded column beside them.
  if (search !== '') found = found.where(contains('folder', search))
  const rows = await found.select('folder').distinct().orderBy('folder').execute()
  const start = query.page * query.limit
  return { folders: rows.slice(start, start + query.limit).map(row => row.folder), total: rows.length }
}

function visible(db: Db, organisationIds: readonly number[]) {
  return db
    .selectFrom('manifest')
    .where('organisation_id', 'in', organisationIds)
    .where('import_id', '=', 0)
    .where('hidden', '=', 0)
}

function organisationsOf(filter: 'ALL' | 'DEFAULT' | 'PRIVATE', organisationId: number): number[] {
  if (filter === 'DEFAULT') return [0]
  return filter === 'PRIVATE' ? [organisationId] : [organisationId, 0]
}

function listed(rows: ManifestRow[], total: number, limit: number): Listed<ManifestRow> {
  const last = rows.at(-1)
  return { rows, total, next: last !== undefined && rows.length === limit ? writePlace(last) : null }
}

function placeAfter(rows: readonly ManifestRow[], after: string): number {
  const place = readPlace(after)
  const index = rows.findIndex(
    row => row.name_folded > place.name_folded || (row.name_folded === place.name_folded && row.id > place.id),
  )
  return index < 0 ? rows.length : index
}
