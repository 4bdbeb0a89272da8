import * as z from 'zod'
import { entityAttributeSchema, entityReferenceSchema } from './entity-attribute.ts'
import { entityTypes } from './entity-types.ts'
import { operationScopesSchema, type OperationScopes } from './operation-scopes.ts'
import { isPrimaryKey, newTypeAttribute, typeAttributeSchema } from './type-attribute.ts'
import { newUid } from './uid.ts'

export const operations = ['select', 'selectAll', 'delete', 'insert', 'update'] as const
export type OperationName = (typeof operations)[number]

/** The number of the stored form of an entity's content; `content.ts` upgrades older ones. */
export const entityContentFormat = 2

/**
 * What is stored of an entity under its content hash: everything that a version, an audit entry or an export must see again.
 * Names and paths inside references are those of the moment of storing; on the way out they are looked up by id and uid.
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

/** An entity in its place: its content with this store's handle and path. */
export type EntityNode = EntityContent & { id: number; path: string }

export const noScopes: OperationScopes = {
  selectOperationScopes: [],
  selectAllOperationScopes: [],
  deleteOperationScopes: [],
  insertOperationScopes: [],
  updateOperationScopes: [],
}

/** A new exclusive entity: nothing but its automatic integer key `id`, unless attributes are given. */
export function newEntityContent(given: Partial<EntityContent> & Pick<EntityContent, 'name'>): EntityContent {
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
    ...given,
  }
}

/** The type attribute that every new exclusive entity gets. */
export function automaticKey() {
  return newTypeAttribute({ name: 'id', dataType: 'integer', purpose: 'identifiedBy', position: 0 })
}

/** The name of the entity's own identifying attribute, or null where it has none. */
export function primaryKeyOf(entity: Pick<EntityContent, 'typeAttributes'>): string | null {
  return entity.typeAttributes.find(isPrimaryKey)?.name ?? null
}
