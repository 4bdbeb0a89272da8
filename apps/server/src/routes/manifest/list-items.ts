import type { EntityListItem } from '@cadmus/model/contract/entity'
import type { ManifestListItem } from '@cadmus/model/contract/manifest'
import { isDefaultPath } from '@cadmus/model/paths'
import { readScopes } from '../../store/entity-content.ts'
import type { EntityListRow } from '../../store/entity-list.ts'
import type { ManifestRow } from '../../store/manifest.ts'
import type { Listed, Page } from '../../store/page.ts'

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

export function entityItem(row: EntityListRow): EntityListItem {
  return {
    id: row.id,
    name: row.name,
    location: row.path,
    folder: row.folder,
    type: row.type === 'TEMPLATE' || row.type === 'CADMUS' ? row.type : 'EXCLUSIVE',
    operationScopes: readScopes(row.scopes),
  }
}

/** The fields that every list answer has. */
export function listFrame({ rows, total, next }: Listed<unknown>, { page }: Page) {
  return { totalElements: total, size: rows.length, page, result: 'OK' as const, message: '', next }
}

export function manifestList(listed: Listed<ManifestRow>, query: Page) {
  return { ...listFrame(listed, query), manifests: listed.rows.map(manifestItem) }
}
