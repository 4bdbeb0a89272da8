import { foldName } from '@cadmus/model/paths'
import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { EntityListRow } from './entity-list.ts'
import type { ManifestRow } from './manifest.ts'
import { contains, readPlace, rowsBefore, writePlace, type Listed, type Page } from './page.ts'

/** The manifest's entities in the order that a person set. */
export async function entitiesOfManifest(
  db: Db,
  organisationId: number,
  manifest: Pick<ManifestRow, 'id' | 'organisation_id'>,
  query: Page & { search?: string; excluded?: number },
): Promise<Listed<EntityListRow>> {
  let found = members(db, organisationId, manifest)
  const search = foldName(query.search ?? '')
  if (search !== '') found = found.where(contains('entity.name_folded', search))
  if (query.excluded !== undefined && query.excluded > 0) found = found.where('entity.id', '!=', query.excluded)
  const { total } = await found.select(count => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  let part = found
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
  return { rows, total: Number(total), next }
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
}
