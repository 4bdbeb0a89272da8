import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import type { Db } from './database.ts'
import { referencesOf } from './entity-reference.ts'
import { entityRowsByIds } from './entity.ts'

/** What an entity in the store is called today, by id; undefined where it is gone. */
export type ReferenceLookup = (id: number) => EntityReference | undefined

/** Looks up all that the contents refer to. */
export async function referenceLookup(
  db: Db,
  organisationId: number,
  contents: readonly EntityContent[],
): Promise<ReferenceLookup> {
  const ids = contents.flatMap(content => referencesOf(content).map(reference => reference.toId)).filter(id => id > 0)
  const rows = await entityRowsByIds(db, organisationId, ids)
  return id => {
    const row = rows.get(id)
    return row && { id, name: row.name, path: row.path }
  }
}

/** The content with every reference under the name and path of today; one whose entity is gone keeps its name, and its id is -1. */
export function refreshed(content: EntityContent, lookup: ReferenceLookup): EntityContent {
  const today = (reference: EntityReference) => lookup(reference.id) ?? { ...reference, id: -1 }
  return {
    ...content,
    extendsEntity: content.extendsEntity && today(content.extendsEntity),
    entityAttributes: content.entityAttributes.map(relationship => ({
      ...relationship,
      associatedEntity: today(relationship.associatedEntity),
      alternativeTargets: relationship.alternativeTargets.map(({ entity, attribute }) => ({
        entity: today(entity),
        attribute,
      })),
    })),
  }
}
