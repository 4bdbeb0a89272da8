import type { ManifestListItem } from '@cadmus/model/contract/lists'
import { isDefaultPath } from '@cadmus/model/paths'
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

/** The common fields of list answers. */
export function listFrame({ total, next }: Listed<unknown>, { page, limit }: Page) {
  return { totalElements: total, size: limit, page, result: 'OK' as const, message: '', next }
}

export function manifestList(listed: Listed<ManifestRow>, query: Page) {
  return { ...listFrame(listed, query), manifests: listed.rows.map(manifestItem) }
}
