import type { EntityListItem, ManifestListItem } from '@cadmus/model/contract/lists'
import { type EntityType, entityTypes } from '@cadmus/model/entity-types'
import { isDefaultPath } from '@cadmus/model/paths'
import type { RequestContext } from '../http/route.ts'
import { type EntityListQuery, type EntityListRow, listEntities } from '../store/entity-list.ts'
import { readScopes } from '../store/entity.ts'
import type { ManifestRow } from '../store/manifest.ts'
import { listManifests, type ManifestListQuery } from '../store/manifest-list.ts'
import type { Listed, Page } from '../store/page.ts'

type Place = Pick<RequestContext, 'context' | 'organisation'>

/** A part of a list of entities, in the documented shape. */
export async function entityListAnswer({ context, organisation: { id } }: Place, query: EntityListQuery) {
  const { store } = context
  const listed = await listEntities(store.of(id), id, query, store.names)
  return { ...listFrame(listed, query), entity: listed.rows.map(entityListItem) }
}

export async function manifestListAnswer({ context, organisation: { id } }: Place, query: ManifestListQuery) {
  return manifestList(await listManifests(context.store.of(id), id, query), query)
}

export function entityListItem(row: EntityListRow): EntityListItem {
  const { id, name, path: location, folder } = row
  return { id, name, location, folder, type: entityTypeOf(row.type), operationScopes: readScopes(row.scopes) }
}

export function entityTypeOf(text: string): EntityType {
  return entityTypes.find(type => type === text) ?? 'EXCLUSIVE'
}

export function manifestItem(row: ManifestRow): ManifestListItem {
  return {
    id: row.id,
    name: row.name,
    location: row.path,
    folder: row.folder,
    isDefault: isDefaultPath(row.path),
    latestVersion: row.latest_version,
    entityCount: row.entity_count,
    subManifestCount: row.sub_manifest_count,
  }
}

/** The common fields of list answers. */
export function listFrame({ total, next }: Pick<Listed<unknown>, 'total' | 'next'>, { page, limit }: Page) {
  return { totalElements: total, size: limit, page, result: 'OK' as const, message: '', next }
}

export function manifestList(listed: Listed<ManifestRow>, query: Page) {
  return { ...listFrame(listed, query), manifests: listed.rows.map(manifestItem) }
}
