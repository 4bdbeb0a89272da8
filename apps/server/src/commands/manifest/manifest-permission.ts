import type { ManifestState, Verdict } from '@cadmus/model/locks'
import { isDefaultPath } from '@cadmus/model/paths'
import { forbidden, notFound } from '../../errors/api-error.ts'
import type { Db } from '../../store/database.ts'
import { frozenVersions } from '../../store/manifest-version.ts'
import { lockManifest, manifestById, type ManifestRow } from '../../store/manifest.ts'

export type ManifestPermission = (state: ManifestState) => Verdict

/** Lock state of a manifest. */
export function stateOf(row: Pick<ManifestRow, 'path' | 'latest_version'>): ManifestState {
  return { isDefault: isDefaultPath(row.path), currentVersion: row.latest_version, latestVersion: row.latest_version }
}

/** 403 with the reason if the change is not allowed. */
export function check(verdict: Verdict): void {
  if (!verdict.allowed) throw forbidden(verdict.reason, 'locked')
}

/** 403 if the requested version is frozen by now, 404 if it does not exist; as with entities. Absent: the latest. */
export async function checkVersion(
  db: Db,
  manifest: ManifestRow,
  version: string | undefined,
  may: ManifestPermission,
): Promise<void> {
  if (version === undefined || version === manifest.latest_version) return
  const frozen = await frozenVersions(db, manifest)
  if (!frozen.some(row => row.version === version)) throw notFound('The version')
  check(may({ ...stateOf(manifest), currentVersion: version }))
}

/** The own manifest, locked until the transaction ends, if the change is allowed. 404 if it is missing, 403 if it is read-only. */
export async function lockedManifest(
  tx: Db,
  organisationId: number,
  id: number,
  may: ManifestPermission,
): Promise<ManifestRow> {
  const row = (await lockManifest(tx, organisationId, id)) ?? (await manifestById(tx, organisationId, id))
  if (row === undefined) throw notFound('The manifest')
  check(may(stateOf(row)))
  return row
}

/** The current manifest, if the change is allowed; takes no lock. */
export async function requireManifest(
  db: Db,
  organisationId: number,
  id: number,
  may: ManifestPermission,
): Promise<ManifestRow> {
  const row = await manifestById(db, organisationId, id)
  if (row === undefined) throw notFound('The manifest')
  check(may(stateOf(row)))
  return row
}
