import { type RawBuilder, sql } from 'kysely'
import { foldName } from '@cadmus/model/paths'
import type { Db } from './database.ts'
import { type EntityListRow, folderPage } from './entity-list.ts'
import type { ManifestRow } from './manifest.ts'
import { entityNameMatches } from './name-index.ts'
import { behind, byMatch, contains, type Listed, type Page, readPlace, rowsBefore, writePlace } from './page.ts'
import { manifestsPendingDeletion } from './pending-deletion.ts'

export type ManifestListQuery = Page & {
  filter?: 'ALL' | 'DEFAULT' | 'PRIVATE'
  search?: string
  /** A manifest id to exclude; -1 = none. */
  exclude?: number
  folder?: string
  /** 'match': custom manifests first, in the relevance order of pickers; numbered pages only. */
  order?: 'name' | 'match'
}

/** Returns manifests of the organisation and the library, by name, then id. */
export async function listManifests(
  db: Db,
  organisationId: number,
  query: ManifestListQuery,
): Promise<Listed<ManifestRow>> {
  const organisations = organisationsOf(query.filter ?? 'ALL', organisationId)
  const [first = organisationId, second] = organisations
  const counts = new Map<number, number>()
  for (const one of organisations) {
    const count = filtered(db, one, query).select(counted => counted.fn.countAll<number>().as('total'))
    counts.set(one, Number((await count.executeTakeFirstOrThrow()).total))
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (query.order === 'match') return { rows: await byRelevance(db, counts, query), total, next: null }
  const part = (one: number) => {
    const matching = filtered(db, one, query).selectAll()
    return query.after === undefined ? matching : matching.where(behind('name_folded', 'id', query.after))
  }
  // Each part is read in index order, then both are merged.
  const both = second === undefined ? part(first) : part(first).unionAll(part(second))
  const ordered = both.orderBy('name_folded').orderBy('id').limit(query.limit)
  const rows = await (query.after === undefined ? ordered.offset(rowsBefore(query)) : ordered).execute()
  return listed(rows, total, query.limit)
}

/** The organisation's manifests, then the library's; in each, exact matches first, then prefixes. */
async function byRelevance(
  db: Db,
  counts: ReadonlyMap<number, number>,
  query: ManifestListQuery,
): Promise<ManifestRow[]> {
  const rows: ManifestRow[] = []
  let before = rowsBefore(query)
  for (const [organisation, count] of counts) {
    const part = filtered(db, organisation, query)
      .selectAll()
      .orderBy(byMatch('name_folded', foldName(query.search ?? '')))
      .orderBy('name_folded')
      .orderBy('id')
    if (before < count) {
      const matching = part.offset(before).limit(query.limit - rows.length)
      rows.push(...(await matching.execute()))
    }
    before = Math.max(0, before - count)
    if (rows.length === query.limit) break
  }
  return rows
}

function filtered(db: Db, organisationId: number, query: ManifestListQuery) {
  let matching = visible(db, [organisationId])
  const search = foldName(query.search ?? '')
  if (search !== '') matching = matching.where(contains('name_folded', search))
  if (query.exclude !== undefined && query.exclude > 0) matching = matching.where('id', '!=', query.exclude)
  if (query.folder !== undefined) matching = matching.where('folder', '=', query.folder)
  return matching
}

/** Returns the manifests that list this one as a sub-manifest, by name, then id. */
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
  const matching = visible(db, [organisationId, 0]).where('id', 'in', parents)
  return pageOf(await matching.selectAll().orderBy('name_folded').orderBy('id').execute(), query)
}

/** Returns the manifest's sub-manifests in their user-defined order. */
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

/** Returns a page of a list small enough to be read completely. */
export function pageOf(rows: readonly ManifestRow[], query: Page & { search?: string }): Listed<ManifestRow> {
  const search = foldName(query.search ?? '')
  const matching = rows.filter(row => row.name_folded.includes(search))
  const after = query.after === undefined ? undefined : readPlace(query.after).id
  const start = after === undefined ? query.page * query.limit : matching.findIndex(row => row.id === after) + 1
  return listed(matching.slice(start, start + query.limit), matching.length, query.limit)
}

/** Folders that contain manifests, filtered and paged. */
export async function manifestFolders(
  db: Db,
  organisationId: number,
  query: Page & { search?: string },
): Promise<{ folders: { name: string; path: string }[]; total: number; next: string | null }> {
  const rows = await visible(db, [organisationId, 0]).select('folder').distinct().execute()
  return folderPage(
    rows.map(({ folder }) => folder),
    query,
  )
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
  return filter === 'PRIVATE' || organisationId === 0 ? [organisationId] : [organisationId, 0]
}

function listed(rows: ManifestRow[], total: number, limit: number): Listed<ManifestRow> {
  const last = rows.at(-1)
  return { rows, total, next: last !== undefined && rows.length === limit ? writePlace(last) : null }
}

type Query = Page & { search?: string; excluded?: number }
type FilteredQuery = Query & { matches: RawBuilder<boolean> | null }
type Manifest = Pick<ManifestRow, 'id' | 'organisation_id' | 'entity_count'>

/** Returns the manifest's entities in their user-defined order. */
export async function entitiesOfManifest(
  db: Db,
  organisationId: number,
  manifest: Manifest,
  query: Query,
): Promise<Listed<EntityListRow>> {
  const search = foldName(query.search ?? '')
  const matches = search === '' ? null : await entityNameMatches(db, search)
  const requested = { ...query, matches }
  const total = await totalOf(db, organisationId, manifest, requested)
  let part = matchingMembers(db, organisationId, manifest, requested)
    .leftJoin('entity_scopes', join =>
      join.onRef('entity_scopes.entity_id', '=', 'entity.id').on('entity_scopes.organisation_id', '=', organisationId),
    )
    .select([
      'entity.id',
      'entity.name',
      'entity.name_folded',
      'entity.path',
      'entity.folder',
      'entity.type',
      'entity.organisation_id',
      'entity.latest_version',
      'manifest_member.position',
      sql<string>`coalesce(entity_scopes.scopes, entity.scopes)`.as('scopes'),
    ])
    .orderBy('manifest_member.position')
    .orderBy('entity.id')
    .limit(query.limit)
  if (query.after === undefined) part = part.offset(rowsBefore(query))
  else part = part.where('manifest_member.position', '>', readPlace(query.after).id)
  const rows = await part.execute()
  const last = rows.at(-1)
  const next = last && rows.length === query.limit ? writePlace({ name_folded: '', id: last.position }) : null
  return { rows, total, next }
}

async function totalOf(db: Db, organisationId: number, manifest: Manifest, query: FilteredQuery): Promise<number> {
  if (query.matches === null && (query.excluded ?? -1) <= 0) return manifest.entity_count
  const { total } = await matchingMembers(db, organisationId, manifest, query)
    .select(count => count.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

function matchingMembers(db: Db, organisationId: number, manifest: Manifest, query: FilteredQuery) {
  let matching = members(db, organisationId, manifest)
  if (query.matches) matching = matching.where(query.matches)
  if (query.excluded !== undefined && query.excluded > 0) matching = matching.where('entity.id', '!=', query.excluded)
  return matching
}

function members(db: Db, organisationId: number, manifest: Pick<ManifestRow, 'id' | 'organisation_id'>) {
  return db
    .selectFrom('manifest_member')
    .innerJoin('entity', join =>
      join
        .onRef('entity.id', '=', 'manifest_member.entity_id')
        .onRef('entity.organisation_id', '=', 'manifest_member.entity_organisation_id'),
    )
    .where('manifest_member.organisation_id', '=', manifest.organisation_id)
    .where('manifest_member.manifest_id', '=', manifest.id)
    .where('entity.organisation_id', 'in', [organisationId, 0])
    .where('entity.import_id', '=', 0)
    .where('entity.manifest_id', 'not in', manifestsPendingDeletion(db, [organisationId]))
}
