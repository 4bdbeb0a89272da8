import { upgradeEntityContent } from './content.ts'
import type { EntityReference } from './entity-attribute.ts'
import type { EntityContent } from './entity.ts'

export const entityDocumentFormat = 1

/** An entity as a separate file: its content with uids, and its location. `entity` has its own format version. */
export type EntityDocument = {
  document: 'cadmus-entity'
  format: typeof entityDocumentFormat
  version: string
  path: string
  entity: EntityContent
}

/** The document of an entity, without local ids: equal entities give equal documents. */
export function entityDocument(entity: EntityContent, place: { path: string; version: string }): EntityDocument {
  // Parsing drops fields beyond the content, such as id and path of a node.
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

/** Ids are local to a store; paths may be valid in another store. */
function withoutId(reference: EntityReference): EntityReference {
  return { ...reference, id: -1 }
}
