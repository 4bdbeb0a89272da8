import type { Db } from './database.ts'
import { entityRowsByIds } from './entity.ts'
import type { ManifestRow } from './manifest.ts'
import { unseenManifests } from './unseen.ts'

export type RelationshipRow = {
  fromEntity: string
  fromEntityAttribute: string
  toEntity: string
  toEntityAttribute: string
}

type Manifest = Pick<ManifestRow, 'id' | 'organisation_id'>
type Named = { name: string }

/**
 * The relationships of a manifest's own members in their order, from the rows that say who refers to whom: no content is read.
 * Ends that are gone are left out. `members` are those of the manifest, by id.
 */
export async function relationshipsOfManifest(
  db: Db,
  organisationId: number,
  manifest: Manifest,
  members: ReadonlyMap<number, Named>,
): Promise<RelationshipRow[]> {
  const rows = await referencesWithin(db, organisationId, manifest)
  const outside = rows.map(row => row.to_id).filter(id => id > 0 && !members.has(id))
  const others: ReadonlyMap<number, Named> = await entityRowsByIds(db, organisationId, outside)
  return rows.flatMap(row => {
    const [from, to] = [members.get(row.from_id), members.get(row.to_id) ?? others.get(row.to_id)]
    if (from === undefined || to === undefined) return []
    const { foreign_key: fromEntityAttribute, target: toEntityAttribute } = row
    return [{ fromEntity: from.name, fromEntityAttribute, toEntity: to.name, toEntityAttribute }]
  })
}

async function referencesWithin(db: Db, organisationId: number, manifest: Manifest) {
  return db
    .selectFrom('manifest_member')
    .innerJoin('entity_reference', join =>
      join
        .onRef('entity_reference.organisation_id', '=', 'manifest_member.entity_organisation_id')
        .onRef('entity_reference.from_id', '=', 'manifest_member.entity_id'),
    )
    .select([
      'entity_reference.from_id',
      'entity_reference.to_id',
      'entity_reference.foreign_key',
      'entity_reference.target',
    ])
    .where('manifest_member.organisation_id', '=', manifest.organisation_id)
    .where('manifest_member.manifest_id', '=', manifest.id)
    .where('entity_reference.organisation_id', 'in', [organisationId, 0])
    .where('entity_reference.foreign_key', '!=', '')
    .orderBy('manifest_member.position')
    .orderBy('entity_reference.place')
    .execute()
}

/** A manifest's members in their order, as far as they are there, without their contents. */
export async function memberParts(
  db: Db,
  organisationId: number,
  manifest: Manifest,
): Promise<{ id: number; name: string; path: string }[]> {
  return db
    .selectFrom('manifest_member')
    .innerJoin('entity', join =>
      join
        .onRef('entity.id', '=', 'manifest_member.entity_id')
        .onRef('entity.organisation_id', '=', 'manifest_member.entity_organisation_id'),
    )
    .select(['entity.id', 'entity.name', 'entity.path'])
    .where('manifest_member.organisation_id', '=', manifest.organisation_id)
    .where('manifest_member.manifest_id', '=', manifest.id)
    .where('entity.organisation_id', 'in', [organisationId, 0])
    .where('entity.import_id', '=', 0)
    .where('entity.manifest_id', 'not in', unseenManifests(db, [organisationId]))
    .orderBy('manifest_member.position')
    .execute()
}
