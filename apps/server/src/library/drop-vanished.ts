import type { ManifestContent } from '@cadmus/model/manifest'
import { type Tx, within } from '../store/database.ts'
import { deleteEntityRows } from '../store/entity-delete.ts'
import { deleteManifests } from '../store/library-manifest.ts'
import { referredEntities, setHidden, type LibraryPart } from '../store/library-state.ts'
import { lockManifestNames } from '../store/manifest.ts'
import { listOrganisations } from '../store/organisation.ts'
import { stillListed } from './keep-listed.ts'
import type { Known } from './plan-library.ts'

const library = 0

type Part = { id: number }
type Before = {
  entityParts: readonly LibraryPart[]
  manifestParts: readonly LibraryPart[]
  manifests: Known<ManifestContent>
}

/**
 * Deletes library objects that are gone from the folder; referenced ones stay, hidden. Holds the name locks of all
 * organisations, as every writer of a reference does, so no reference can appear in between.
 */
export async function dropVanished(
  tx: Tx,
  plan: { entities: readonly Part[]; manifests: readonly Part[] },
  before: Before,
): Promise<void> {
  const entities = without(before.entityParts, plan.entities)
  const manifests = without(before.manifestParts, plan.manifests)
  if (entities.length === 0 && manifests.length === 0) return
  const organisations = await listOrganisations(tx)
  for (const { id } of organisations) await lockManifestNames(tx, id)
  const listed = await stillListed(tx, organisations, manifests, before.manifests)
  const referred = (await stillReferred(tx, organisations, entities)).union(listed.entities)
  await setHidden(tx, 'manifest', [...listed.manifests], 1)
  await deleteManifests(tx, idsOf(manifests, listed.manifests).others)
  const { kept, others } = idsOf(entities, referred)
  await setHidden(tx, 'entity', kept, 1)
  await deleteEntityRows(tx, library, others)
}

/** Returns the parts that are missing from the plan. */
function without(parts: readonly LibraryPart[], plan: readonly Part[]): LibraryPart[] {
  const planned = new Set(plan.map(({ id }) => id))
  return parts.filter(({ id }) => !planned.has(id))
}

async function stillReferred(
  tx: Tx,
  organisations: readonly Part[],
  vanished: readonly LibraryPart[],
): Promise<Set<number>> {
  const referred = new Set<number>()
  const ids = vanished.map(part => part.id)
  for (const { id } of ids.length === 0 ? [] : organisations) {
    for (const found of await referredEntities(within(tx, id), id, ids)) referred.add(found)
  }
  return referred
}

function idsOf(parts: readonly Part[], kept: ReadonlySet<number>): { kept: number[]; others: number[] } {
  const ids = parts.map(({ id }) => id)
  return { kept: ids.filter(id => kept.has(id)), others: ids.filter(id => !kept.has(id)) }
}
