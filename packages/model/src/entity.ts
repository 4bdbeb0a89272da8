import * as z from 'zod'
import { entityAttributeSchema } from './entity-attribute.ts'
import { entityFields } from './fields/entity.ts'
import { defaultsOf, newestFormat, schemasOf } from './fields/field.ts'
import { relationshipFields } from './fields/relationship.ts'
import { typeAttributeFields } from './fields/type-attribute.ts'
import { operationScopesSchema, type OperationScopes } from './operations.ts'
import { isPrimaryKey, newTypeAttribute, typeAttributeSchema } from './type-attribute.ts'
import { newUid } from './uid.ts'

export const operations = ['select', 'selectAll', 'delete', 'insert', 'update'] as const
export type OperationName = (typeof operations)[number]

/** Format version of a stored entity content: the newest that added a field; `content.ts` has the upgrades. */
export const entityContentFormat = newestFormat(entityFields, typeAttributeFields, relationshipFields)

const { copiedFrom, ...ownSchemas } = schemasOf(entityFields)

/**
 * The stored content of an entity, identified by its hash: everything needed by versions, audit entries and exports. Names and paths in
 * references date from the time of storing; reads resolve them again by id and uid.
 */
export const entityContentSchema = z.object({
  format: z.literal(entityContentFormat),
  ...ownSchemas,
  typeAttributes: z.array(typeAttributeSchema),
  entityAttributes: z.array(entityAttributeSchema),
  operationScopes: operationScopesSchema,
  copiedFrom,
})
export type EntityContent = z.infer<typeof entityContentSchema>

export type EntityNode = EntityContent & { id: number; path: string }

export const noScopes: OperationScopes = {
  selectOperationScopes: [],
  selectAllOperationScopes: [],
  deleteOperationScopes: [],
  insertOperationScopes: [],
  updateOperationScopes: [],
}

const defaults = defaultsOf(entityFields)

/** A new exclusive entity; by default only the automatic integer key `id`. */
export function newEntityContent(fields: Partial<EntityContent> & Pick<EntityContent, 'name'>): EntityContent {
  return {
    format: entityContentFormat,
    ...defaults(),
    uid: newUid(),
    typeAttributes: [automaticKey()],
    entityAttributes: [],
    operationScopes: noScopes,
    ...fields,
  }
}

/** The key attribute of every new exclusive entity. */
export function automaticKey() {
  return newTypeAttribute({ name: 'id', dataType: 'integer', purpose: 'identifiedBy', position: 0 })
}

/** Name of the entity's own primary key, null without one. */
export function primaryKeyOf(entity: Pick<EntityContent, 'typeAttributes'>): string | null {
  return entity.typeAttributes.find(isPrimaryKey)?.name ?? null
}
