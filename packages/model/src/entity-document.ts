import { upgradeEntityContent } from './content.ts'
import type { EntityReference } from './entity-attribute.ts'
import type { EntityContent } from './entity.ts'

export const entityDocumentFormat = 1

/** An entity as a file of its own: its content with its uids, and where it was. `entity` has a format number of its own. */
export type EntityDocument = {
  document: 'cadmus-entity'
  format: typeof entityDocumentFormat
  version: string
  path: string
  entity: EntityContent
}

/** The document of an entity. The same entity gives the same document: ids of the store are left out of it. */
export function entityDocument(entity: EntityContent, place: { path: string; version: string }): EntityDocument {
  // Read back first: what has fields beyond the content, as an entity with its id and path, leaves them behind.
  const content = upgradeEntityContent(entity)
  return {
    document: 'cadmus-entity',
    format: entityDocumentFormat,
    version: place.version,
    path: place.path,
    entity: {
      ...content,
      extendsEntity: content.extendsEntity && withoutId(content.extendsEntity),
      entityAttributes: content.entityAttributes.map(attribute => ({
        ...attribute,
        associatedEntity: withoutId(attribute.associatedEntity),
        alternativeTargets: attribute.alternativeTargets.map(target => ({
          ...target,
          entity: withoutId(target.entity),
        })),
      })),
    },
  }
}

/** An id means nothing in another store, where a path may. */
function withoutId(reference: EntityReference): EntityReference {
  return { ...reference, id: -1 }
}
