import * as z from 'zod'
import { entityForm } from './content.ts'
import { embedded } from './stored/nested-forms.ts'
import { readStored, type StoredForm } from './stored/stored-form.ts'
import type { EntityReference } from './entity-attribute.ts'
import type { EntityContent } from './entity.ts'

const entityDocumentFormat = 1

const documentSchema = z.object({
  document: z.literal('cadmus-entity'),
  format: z.literal(entityDocumentFormat),
  version: z.unknown(),
  path: z.unknown(),
  entity: embedded(entityForm),
})

/** An entity as a separate file: its content with uids, and its location. */
export type EntityDocument = z.infer<typeof documentSchema> & { version: string; path: string }

/** Version and path are checked by the import, which leaves out invalid ones. */
export const entityDocumentForm: StoredForm<z.infer<typeof documentSchema>> = {
  name: 'entity document',
  format: entityDocumentFormat,
  schema: documentSchema,
  upgrades: {},
}

/** The document of an entity, without local ids: equal entities give equal documents. */
export function entityDocument(entity: EntityContent, place: { path: string; version: string }): EntityDocument {
  // Parsing drops fields beyond the content, such as id and path of a node.
  const content = readStored(entityForm, entity)
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
