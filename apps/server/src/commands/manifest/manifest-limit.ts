import { parseLicence } from '@cadmus/model/licence'
import { messages } from '@cadmus/model/messages'
import { ApiError } from '../../errors/api-error.ts'
import type { Db, Tx } from '../../store/database.ts'
import { countTopManifests } from '../../store/top-manifests.ts'

/** 403 if the licence has no room for so many more manifests; sub-manifests do not count. */
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
