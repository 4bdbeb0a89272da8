import { parseLicence } from '@cadmus/model/licence'
import type { ManifestState, Verdict } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { isDefaultPath } from '@cadmus/model/paths'
import { ApiError, forbidden, notFound } from '../../errors/api-error.ts'
import type { Db, Tx } from '../../store/database.ts'
import {
  countTopManifests,
  frozenManifestVersions,
  lockManifest,
  manifestById,
  type ManifestRow,
} from '../../store/manifest.ts'

type ManifestPermission = (state: ManifestState) => Verdict

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
  const frozen = await frozenManifestVersions(db, manifest)
  if (!frozen.some(row => row.version === version)) throw notFound('The version')
  check(may({ ...stateOf(manifest), currentVersion: version }))
}

/** The organisation's manifest, locked until the transaction ends, if the change is allowed. 404 if it is missing, 403 if it is read-only. */
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

/** 403 if the licence does not permit this number of further manifests; sub-manifests do not count. */
export async function checkManifestLimit(
  db: Db,
  organisationId: number,
  { licence, requested }: { licence: string; requested: number },
): Promise<void> {
  const { manifestLimit: limit } = parseLicence(licence)
  const present = await countTopManifests(db, organisationId)
  if (present + requested > limit) throw refusal({ limit, present, requested })
}

/**
 * Runs a change that detaches sub-manifests: 403 if it increases the number of top-level manifests beyond the licence.
 * With a lowered limit, changes that do not increase it are allowed. Requires the name lock.
 */
export async function withinManifestLimit<T>(
  tx: Tx,
  organisationId: number,
  licence: string,
  detach: () => Promise<T>,
): Promise<T> {
  const { manifestLimit: limit } = parseLicence(licence)
  if (limit === Number.POSITIVE_INFINITY) return detach()
  const present = await countTopManifests(tx, organisationId)
  const result = await detach()
  const requested = (await countTopManifests(tx, organisationId)) - present
  if (requested > 0 && present + requested > limit) throw refusal({ limit, present, requested })
  return result
}

function refusal(counts: { limit: number; present: number; requested: number }): ApiError {
  return new ApiError(403, 'manifest_limit', messages.manifestLimit(counts))
}

/** Number of the new manifests that are not sub-manifests. */
export function topManifests(manifests: readonly { id: number; subManifestIds: readonly number[] }[]): number {
  const below = new Set(manifests.flatMap(({ subManifestIds }) => subManifestIds))
  return manifests.filter(({ id }) => !below.has(id)).length
}
