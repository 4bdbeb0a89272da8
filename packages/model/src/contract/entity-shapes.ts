import * as z from 'zod'
import { entityAttributeSchema } from '../entity-attribute.ts'
import { entityReferenceSchema } from '../entity-reference.ts'
import { onReferencesChoices } from '../detach.ts'
import { entityTypes } from '../entity-types.ts'
import { entityFields } from '../fields/entity.ts'
import { optionalField, requestSchemasOf, schemasOf } from '../fields/field.ts'
import { relationshipFields } from '../fields/relationship.ts'
import { typeAttributeFields } from '../fields/type-attribute.ts'
import { operationScopesSchema } from '../operations.ts'
import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { dataTypes, foreignKeyDataTypes, purposes, typeAttributeSchema } from '../type-attribute.ts'
import { asAnswered, derived, oneField, sentNames } from './request-fields.ts'
import { optionalIdSchema } from './shared.ts'

/** Error that states the limit and the number sent. */
function tooMany(what: string, limit: number) {
  return {
    error: ({ input }: { input?: unknown }) => messages.tooMany(what, limit, Array.isArray(input) ? input.length : 0),
  }
}

/** Fields of a type attribute in a request; a type attribute as answered fits too. */
export const typeAttributeRequestFields = {
  ...requestSchemasOf(typeAttributeFields),
  isNullable: z.boolean().optional().describe('Alias of `nullable`.'),
  isDefault: asAnswered,
  isPrimaryKey: derived(z.boolean()).describe('Read-only: 400 if it contradicts both the sent and the stored purpose.'),
  appliedTraits: derived(z.array(z.unknown())),
}
export const typeAttributeRequest = z
  .strictObject(typeAttributeRequestFields)
  .transform(({ isNullable, nullable, ...fields }, context) => ({
    ...fields,
    nullable: oneField(context, { nullable, isNullable }),
  }))
export type TypeAttributeRequest = z.output<typeof typeAttributeRequest>

/** Fields of a relationship in a request: the wire shape of document 1 §3, or a relationship as answered. */
export const relationshipRequestFields = {
  ...requestSchemasOf(relationshipFields),
  associatedEntityId: z.number().int().optional().describe('Absent: unchanged. Required in a new one.'),
  associatedEntityName: z.string().optional(),
  associatedEntityPath: z.string().optional(),
  foreignKeyAttribute: z
    .strictObject({
      purpose: optionalField(z.enum(purposes), 'hasA'),
      dataType: optionalField(z.enum(foreignKeyDataTypes), 'integer'),
      typeAttributeName: optionalField(z.string(), ''),
    })
    .optional(),
  isNullable: z.boolean().optional().describe('Alias of `nullable`.'),
  version: z.string().max(100).optional(),
  isDefault: asAnswered,
}
export const relationshipRequest = z.strictObject(relationshipRequestFields).transform((body, context) => {
  const { associatedEntityId, associatedEntityName, associatedEntityPath, associatedEntity, ...rest } = body
  const { foreignKeyAttribute: key, isNullable, ...fields } = rest
  const id = oneField(context, { associatedEntityId, 'associatedEntity.id': associatedEntity?.id })
  const name = associatedEntityName ?? associatedEntity?.name ?? ''
  const path = associatedEntityPath ?? associatedEntity?.path ?? ''
  const keyNames = {
    'foreignKeyAttribute.typeAttributeName': key?.typeAttributeName,
    foreignKeyTypeAttribute: fields.foreignKeyTypeAttribute,
  }
  const keyTypes = {
    'foreignKeyAttribute.dataType': key?.dataType,
    foreignKeyDataType: fields.foreignKeyDataType,
  }
  /** The names in the request of fields that rules refer to. */
  const sent: { sentAs?: Readonly<Record<string, string>> } = {
    sentAs: sentNames({
      associatedEntity: { associatedEntityId, associatedEntity },
      foreignKeyTypeAttribute: keyNames,
      foreignKeyDataType: keyTypes,
    }),
  }
  return {
    ...fields,
    ...sent,
    associatedEntity: id === undefined ? undefined : { id, name, path },
    nullable: oneField(context, { nullable: fields.nullable, isNullable }),
    foreignKeyTypeAttribute: oneField(context, keyNames),
    foreignKeyPurpose: oneField(context, {
      'foreignKeyAttribute.purpose': key?.purpose,
      foreignKeyPurpose: fields.foreignKeyPurpose,
    }),
    foreignKeyDataType: oneField(context, keyTypes),
  }
})
export type RelationshipRequest = z.output<typeof relationshipRequest>

const {
  name: _name,
  type: typeAsAnswered,
  traits: _traits,
  copiedFrom: copiedFromAsAnswered,
  referenceImportPaths,
  ...ownRequestFields
} = requestSchemasOf(entityFields)

const requestFields = {
  ...ownRequestFields,
  typeAttributes: optionalField(
    z.array(typeAttributeRequest).max(limits.attributes, tooMany('type attributes', limits.attributes)),
    [],
  ),
  entityAttributes: optionalField(
    z.array(relationshipRequest).max(limits.relationships, tooMany('relationships', limits.relationships)),
    [],
  ),
  operationScopes: z.strictObject(operationScopesSchema.partial().shape).optional(),
}

const bodyFields = {
  referenceImportPaths,
  traits: z.array(z.unknown()).max(0).default([]),
  /** The version to create (absent: 1.0.0) or to save (absent: the latest). */
  version: z.string().max(100).optional(),
}

/** Create body (document 1 §7). */
export const entityRequest = z.strictObject({
  entity: z.strictObject({ ...requestFields, name: z.string() }),
  ...bodyFields,
  targetManifestId: optionalIdSchema,
  type: z.enum(entityTypes).default('EXCLUSIVE'),
  duplicateEntityId: optionalIdSchema,
})
export type EntityRequest = z.output<typeof entityRequest>

/** By uid of an attribute that a save removes: how references to it are handled. Takes precedence over the query parameter. */
export const onReferencesToSchema = z.record(z.string().max(60), z.enum(onReferencesChoices)).optional()

export const typeAttributeAnswer = typeAttributeSchema.extend({
  isDefault: z.boolean(),
  isPrimaryKey: z.boolean(),
  appliedTraits: z.array(z.unknown()),
})

export const entityAttributeAnswer = entityAttributeSchema.extend({ isDefault: z.boolean() })
export type TypeAttributeAnswer = z.output<typeof typeAttributeAnswer>
export type EntityAttributeAnswer = z.output<typeof entityAttributeAnswer>

export const resolvedAttributeAnswer = z.object({
  name: z.string(),
  dataType: z.enum(dataTypes),
  isPrimaryKey: z.boolean(),
  nullable: z.boolean(),
  maxLength: z.number().int().nullable(),
  choices: z.array(z.string()),
  kind: z.enum(['type', 'foreignKey']),
  origin: z.enum(['own', 'inherited']),
  declaredBy: entityReferenceSchema,
})

const { traits: _stored, referenceImportPaths: imports, ...ownAnswerFields } = schemasOf(entityFields)

/** Fields of document 1 §3; `content` is the stored JSON text. */
export const entityAnswer = z.object({
  id: z.number().int(),
  path: z.string(),
  ...ownAnswerFields,
  imports,
  typeAttributes: z.array(typeAttributeAnswer),
  entityAttributes: z.array(entityAttributeAnswer),
  resolvedAttributes: z.array(resolvedAttributeAnswer).optional(),
  primaryKey: z.string().nullable(),
  isDefault: z.boolean(),
  targetManifest: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  content: z.string(),
  versions: z.array(z.string()),
  latestVersion: z.string(),
  currentVersion: z.string(),
  operationScopes: operationScopesSchema,
})
export type EntityAnswer = z.output<typeof entityAnswer>

export const entityEnvelope = z.object({ entity: entityAnswer })

/** Properties of an entity that only answers have. */
export const entityAsAnswered = {
  id: asAnswered,
  path: derived(entityAnswer.shape.path),
  type: typeAsAnswered,
  resolvedAttributes: derived(entityAnswer.shape.resolvedAttributes),
  primaryKey: derived(entityAnswer.shape.primaryKey).describe(
    'Read-only: 400 if it names neither the stored nor the resulting own key. Ignored if the key is inherited.',
  ),
  isDefault: asAnswered,
  targetManifest: derived(entityAnswer.shape.targetManifest),
  content: derived(entityAnswer.shape.content),
  versions: derived(entityAnswer.shape.versions),
  latestVersion: derived(entityAnswer.shape.latestVersion),
  currentVersion: derived(entityAnswer.shape.currentVersion),
  copiedFrom: copiedFromAsAnswered,
}

/** Update body (document 1 §7). An entity as returned by GET fits too. */
export const entityUpdate = z
  .strictObject({
    entity: z.strictObject({
      ...requestFields,
      name: optionalField(z.string(), ''),
      imports: referenceImportPaths.describe('Alias of `referenceImportPaths`.'),
      ...entityAsAnswered,
    }),
    ...bodyFields,
    onReferencesTo: onReferencesToSchema,
    targetManifestId: z.number().int().min(-1).optional().describe('As in the creation; saves do not move entities.'),
    type: asAnswered,
    duplicateEntityId: z.literal(-1).optional().describe('For creations only.'),
  })
  .transform(({ referenceImportPaths, ...rest }, context) => ({
    ...rest,
    referenceImportPaths: oneField(context, { referenceImportPaths, 'entity.imports': rest.entity.imports }),
  }))
export type EntityUpdate = z.output<typeof entityUpdate>
