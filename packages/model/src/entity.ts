import * as z from 'zod'
import { entityAttributeSchema, entityReferenceSchema } from './entity-attribute.ts'
import { entityTypes } from './entity-types.ts'
import { newestFormat } from './fields/field.ts'
import { relationshipFields } from './fields/relationship.ts'
import { typeAttributeFields } from './fields/type-attribute.ts'
import { operationScopesSchema, type OperationScopes } from './operation-scopes.ts'
import { isPrimaryKey, newTypeAttribute, typeAttributeSchema } from './type-attribute.ts'
import { newUid } from './uid.ts'

export const operations = ['select', 'selectAll', 'delete', 'insert', 'update'] as const
export type OperationName = (typeof operations)[number]

/** Format version of a stored entity content: the newest that added a field; `content.ts` has the upgrades. */
export const entityContentFormat = newestFormat(typeAttributeFields, relationshipFields)

/**
 * The stored content of an entity, identified by its hash: everything needed by versions, audit entries and exports. Names and paths in
 * references date from the time of storing; reads resolve them again by id and uid.
 */
export const entityContentSchema = z.object({
  format: z.literal(entityContentFormat),
  uid: z.string(),
  name: z.string(),
  description: z.string(),
  type: z.enum(entityTypes),
  extendsEntity: entityReferenceSchema.nullable(),
  referenceImportPaths: z.array(z.string()),
  traits: z.array(z.unknown()),
  typeAttributes: z.array(typeAttributeSchema),
  entityAttributes: z.array(entityAttributeSchema),
  operationScopes: operationScopesSchema,
  copiedFrom: z.string().nullable(),
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

/** A new exclusive entity; by default only the automatic integer key `id`. */
export function newEntityContent(fields: Partial<EntityContent> & Pick<EntityContent, 'name'>): EntityContent {
  return {
    format: entityContentFormat,
    uid: newUid(),
    description: '',
    type: 'EXCLUSIVE',
    extendsEntity: null,
    referenceImportPaths: [],
    traits: [],
    typeAttributes: [automaticKey()],
    entityAttributes: [],
    operationScopes: noScopes,
    copiedFrom: null,
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
