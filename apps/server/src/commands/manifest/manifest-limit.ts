import { parseLicence } from '@cadmus/model/licence'
import { messages } from '@cadmus/model/messages'
import { ApiError } from '../../errors/api-error.ts'
import type { Db } from '../../store/database.ts'
import { countTopManifests } from '../../store/top-manifests.ts'

/** 403 where the licence does not leave room for so many more; sub-manifests are not counted. */
export async function checkManifestLimit(
  db: Db,
  organisationId: number,
  { licence, wanted }: { licence: string; wanted: number },
): Promise<void> {
  const { manifestLimit: limit } = parseLicence(licence)
  const present = await countTopManifests(db, organisationId)
  if (present + wanted > limit) {
    throw new ApiError(403, 'manifest_limit', messages.manifestLimit({ limit, present, wanted }))
  }
}

/** How many of those that come together are nobody's sub-manifest. */
export function topManifests(manifests: readonly { id: number; subManifestIds: readonly number[] }[]): number {
  const below = new Set(manifests.flatMap(({ subManifestIds }) => subManifestIds))
  return manifests.filter(({ id }) => !below.has(id)).length
}
