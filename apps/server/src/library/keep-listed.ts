import type { ManifestContent } from '@cadmus/model/manifest'
import { type Tx, within } from '../store/database.ts'
import { listedManifests } from '../store/library-state.ts'
import type { Existing } from './plan-library.ts'

/** Predefined manifests that are kept hidden although they were removed from the folder, and the entities they list. */
export type Listed = { manifests: ReadonlySet<number>; entities: ReadonlySet<number> }

/**
 * Returns the removed manifests that an organisation lists as sub-manifests, including removed manifests below them.
 */
export async function findListed(
  tx: Tx,
  organisations: readonly { id: number }[],
  removed: readonly { id: number }[],
  existing: Existing<ManifestContent>,
): Promise<Listed> {
  const manifests = new Set<number>()
  const entities = new Set<number>()
  const ids = removed.map(({ id }) => id)
  const open: number[] = []
  for (const { id } of ids.length === 0 ? [] : organisations) {
    open.push(...(await listedManifests(within(tx, id), id, ids)))
  }
  const contents = new Map(Array.from(existing.values(), ({ id, content }) => [id, content]))
  const removedIds = new Set(ids)
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (manifests.has(id) || !removedIds.has(id)) continue
    manifests.add(id)
    const content = contents.get(id)
    for (const member of content?.entities ?? []) entities.add(member.id)
    open.push(...(content?.subManifests ?? []))
  }
  return { manifests, entities }
}
