import { parseLicence } from '@cadmus/model/licence'
import { messages } from '@cadmus/model/messages'
import { ApiError } from '../../errors/api-error.ts'
import type { Db, Tx } from '../../store/database.ts'
import { countTopManifests } from '../../store/top-manifests.ts'

/** 403 where the licence does not leave room for so many more; sub-manifests are not counted. */
export async function checkManifestLimit(
  db: Db,
  organisationId: number,
  { licence, wanted }: { licence: string; wanted: number },
): Promise<void> {
  const { manifestLimit: limit } = parseLicence(licence)
  const present = await countTopManifests(db, organisationId)
  if (present + wanted > limit) throw refusal({ limit, present, wanted })
}

/**
 * Does what lets go of sub-manifests: 403 where more manifests than before, and than the licence leaves room for, would be nobody's.
 * Where a limit was lowered, what makes no more of them may be done. Call it with the names locked.
 */
export async function withinManifestLimit<T>(
  tx: Tx,
  organisationId: number,
  licence: string,
  letGo: () => Promise<T>,
): Promise<T> {
  const { manifestLimit: limit } = parseLicence(licence)
  if (limit === Number.POSITIVE_INFINITY) return letGo()
  const present = await countTopManifests(tx, organisationId)
  const result = await letGo()
  const wanted = (await countTopManifests(tx, organisationId)) - present
  if (wanted > 0 && present + wanted > limit) throw refusal({ limit, present, wanted })
  return result
}

function refusal(counts: { limit: number; present: number; wanted: number }): ApiError {
  return new ApiError(403, 'manifest_limit', messages.manifestLimit(counts))
}

/** How many of those that come together are nobody's sub-manifest. */
export function topManifests(manifests: readonly { id: number; subManifestIds: readonly number[] }[]): number {
  const below = new Set(manifests.flatMap(({ subManifestIds }) => subManifestIds))
  return manifests.filter(({ id }) => !below.has(id)).length
}
