import type { ManifestContent } from '@cadmus/model/manifest'
import { type Tx, within } from '../store/database.ts'
import { deleteEntityRows } from '../store/entity-delete.ts'
import { deleteManifests } from '../store/manifest-delete.ts'
import { referredEntities, setHidden, type LibraryPart } from '../store/library-state.ts'
import { lockManifestNames } from '../store/manifest.ts'
import { listOrganisations } from '../store/organisation.ts'
import { findListed } from './keep-listed.ts'
import type { Existing } from './plan-library.ts'

const library = 0

type Part = { id: number }
type Before = {
  entityParts: readonly LibraryPart[]
  manifestParts: readonly LibraryPart[]
  manifests: Existing<ManifestContent>
}

/**
 * Deletes library objects that are missing from the folder; referenced objects are kept hidden. Holds the name locks of
 * all organisations, as every writer of a reference does, so no reference can appear in between.
 */
export async function deleteRemoved(
  tx: Tx,
  plan: { entities: readonly Part[]; manifests: readonly Part[] },
  before: Before,
): Promise<void> {
  const entities = missingFrom(before.entityParts, plan.entities)
  const manifests = missingFrom(before.manifestParts, plan.manifests)
  if (entities.length === 0 && manifests.length === 0) return
  const organisations = await listOrganisations(tx)
  for (const { id } of organisations) await lockManifestNames(tx, id)
  const listed = await findListed(tx, organisations, manifests, before.manifests)
  const referenced = (await findReferenced(tx, organisations, entities)).union(listed.entities)
  await setHidden(tx, 'manifest', [...listed.manifests], 1)
  await deleteManifests(tx, partitionIds(manifests, listed.manifests).others)
  const { retained, others } = partitionIds(entities, referenced)
  await setHidden(tx, 'entity', retained, 1)
  await deleteEntityRows(tx, library, others)
}

/** Returns the parts that are missing from the plan. */
function missingFrom(parts: readonly LibraryPart[], plan: readonly Part[]): LibraryPart[] {
  const planned = new Set(plan.map(({ id }) => id))
  return parts.filter(({ id }) => !planned.has(id))
}

async function findReferenced(
  tx: Tx,
  organisations: readonly Part[],
  removed: readonly LibraryPart[],
): Promise<Set<number>> {
  const referenced = new Set<number>()
  const ids = removed.map(part => part.id)
  for (const { id } of ids.length === 0 ? [] : organisations) {
    for (const entityId of await referredEntities(within(tx, id), id, ids)) referenced.add(entityId)
  }
  return referenced
}

function partitionIds(parts: readonly Part[], retained: ReadonlySet<number>): { retained: number[]; others: number[] } {
  const ids = parts.map(({ id }) => id)
  return { retained: ids.filter(id => retained.has(id)), others: ids.filter(id => !retained.has(id)) }
}
