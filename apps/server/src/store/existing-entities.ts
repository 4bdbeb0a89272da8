import type { EntityReference } from '@cadmus/model/entity-attribute'
import type { Db } from './database.ts'
import { entitiesByPaths } from './entity-paths.ts'
import { entitiesByUids } from './entity-refresh.ts'

type PathMatch = { path: string; is: EntityReference & { uid: string } }

/** Finds existing entities by uid, else by path. */
export async function existingEntities(
  db: Db,
  organisationId: number,
  named: readonly { uid?: string | undefined; path: string }[],
): Promise<PathMatch[]> {
  const byUid = await entitiesByUids(
    db,
    organisationId,
    named.flatMap(({ uid }) => uid ?? []),
  )
  const byPath = await entitiesByPaths(
    db,
    organisationId,
    named.map(({ path }) => path),
  )
  return named.flatMap(({ uid, path }): PathMatch[] => {
    const result = byUid.get(uid ?? '') ?? byPath.get(path)
    return result?.uid === undefined ? [] : [{ path, is: { ...result, uid: result.uid } }]
  })
}
