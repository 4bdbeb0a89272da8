import { foldName } from '@cadmus/model/paths'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from './database.ts'
import type { EntityListRow } from './entity-list.ts'
import type { ManifestRow } from './manifest.ts'
import { entityNameMatches } from './name-search.ts'
import { readPlace, rowsBefore, writePlace, type Listed, type Page } from './page.ts'
import { manifestsPendingDeletion } from './pending-deletion.ts'

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
  let part = filtered(db, organisationId, manifest, requested)
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
  const { total } = await filtered(db, organisationId, manifest, query)
    .select(count => count.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

function filtered(db: Db, organisationId: number, manifest: Manifest, query: FilteredQuery) {
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
