import { inBatches } from './batches.ts'
import type { Db } from './database.ts'

const idBatch = 500

/**
 * Returns the folded names of entities owned or listed by these own manifests, by manifest; 0: entities without
 * manifest.
 */
export async function namesInManifests(
  db: Db,
  organisationId: number,
  manifestIds: Iterable<number>,
): Promise<Map<number, Set<string>>> {
  const names = new Map(Array.from(manifestIds, id => [id, new Set<string>()]))
  for (const ids of inBatches([...names.keys()], idBatch)) {
    const owned = await db
      .selectFrom('entity')
      .select(['manifest_id as place', 'name_folded'])
      .where('organisation_id', '=', organisationId)
      .where('manifest_id', 'in', ids)
      .where('import_id', '=', 0)
      .execute()
    const listed = await db
      .selectFrom('manifest_member')
      .innerJoin('entity', 'entity.id', 'manifest_member.entity_id')
      .select(['manifest_member.manifest_id as place', 'entity.name_folded'])
      .where('manifest_member.organisation_id', '=', organisationId)
      .where('entity.organisation_id', 'in', [organisationId, 0])
      .where('manifest_member.manifest_id', 'in', ids)
      .execute()
    for (const { place, name_folded: name } of [...owned, ...listed]) names.get(place)?.add(name)
  }
  return names
}
