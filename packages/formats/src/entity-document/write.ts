import { upgradeEntityContent } from '@cadmus/model/content'
import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { fileStem } from '../file-stem.ts'

export const entityDocumentFormat = 1

/** An entity as a file of its own: its content with its uids, and where it was. `entity` has a format number of its own. */
export type EntityDocument = {
  document: 'cadmus-entity'
  format: typeof entityDocumentFormat
  version: string
  path: string
  entity: EntityContent
}

/** The document and the name of its file. The same entity gives the same document: ids of the store are left out of it. */
export function writeEntityDocument(
  entity: EntityContent,
  place: { path: string; version: string },
): { entityDoc: EntityDocument; fileName: string } {
  // Read back first: what has fields beyond the content, as an entity with its id and path, leaves them behind.
  const content = upgradeEntityContent(entity)
  const entityDoc: EntityDocument = {
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
  return { entityDoc, fileName: `${fileStem(entity.name, 'entity')}.json` }
}

/** An id means nothing in another store, where a path may. */
function withoutId(reference: EntityReference): EntityReference {
  return { ...reference, id: -1 }
}
