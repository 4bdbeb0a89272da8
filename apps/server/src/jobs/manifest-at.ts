import { notFound } from '../errors/api-error.ts'
import type { Db } from '../store/database.ts'
import { manifestById, type ManifestRow } from '../store/manifest.ts'
import { frozenVersions, type ManifestVersionRow } from '../store/manifest-version.ts'
import type { ModelPlace } from './tasks.ts'

/**
 * Returns a manifest's row and its version's row (null for the latest). Throws 404 if one does not exist or was deleted
 * while the task waited.
 */
export async function manifestAt(
  db: Db,
  { organisationId, manifestId, version }: ModelPlace,
): Promise<{ row: ManifestRow; frozen: ManifestVersionRow | null }> {
  const row = await manifestById(db, organisationId, manifestId)
  if (row === undefined) throw notFound('The manifest')
  if (version === null || version === row.latest_version) return { row, frozen: null }
  const frozen = (await frozenVersions(db, row)).find(one => one.version === version)
  if (frozen === undefined) throw notFound(`The version ${version}`)
  return { row, frozen }
}
