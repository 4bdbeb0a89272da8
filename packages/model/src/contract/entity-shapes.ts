import * as z from 'zod'
import {
  alternativeTargetSchema,
  entityAttributeSchema,
  entityReferenceSchema,
  onDeleteActions,
} from '../entity-attribute.ts'
import { onReferencesChoices } from '../detach.ts'
import { entityTypes } from '../entity-types.ts'
import { operationScopesSchema } from '../operation-scopes.ts'
import { defaults, limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { dataTypes, formats, keyDataTypes, purposes, typeAttributeSchema } from '../type-attribute.ts'
import { optionalIdSchema } from './shared.ts'

/** Says how many there may be and how many were sent. */
function tooMany(what: string, limit: number) {
  return {
    error: ({ input }: { input?: unknown }) => messages.tooMany(what, limit, Array.isArray(input) ? input.length : 0),
  }
}

/** A type attribute as a request sends it: every field but the name has a default. Answers use `nullable`, requests `isNullable`. */
export const typeAttributeRequest = z.object({
  uid: z.string().max(60).optional(),
  name: z.string(),
  dataType: z.enum(dataTypes).default('string'),
  purpose: z.enum(purposes).default('hasA'),
  description: z.string().max(20_000).default(''),
  isNullable: z.boolean().default(false),
  choices: z.array(z.string().max(4000)).max(10_000).default([]),
  maxLength: z.union([z.number().int(), z.string()]).nullable().default(null),
  defaultValue: z.string().max(20_000).nullable().default(null),
  unique: z.boolean().default(false),
  indexed: z.boolean().default(false),
  precision: z.number().int().nullable().default(null),
  scale: z.number().int().nullable().default(null),
  format: z.enum(formats).nullable().default(null),
  appliedTraits: z.array(z.unknown()).max(0).default([]),
  position: z.number().int().min(0).optional(),
})
export type TypeAttributeRequest = z.output<typeof typeAttributeRequest>

/** A relationship as a request sends it (document 1 §3, wire shape). */
export const relationshipRequest = z.object({
  uid: z.string().max(60).optional(),
  associatedEntityId: z.number().int(),
  associatedEntityName: z.string().default(''),
  associatedEntityPath: z.string().default(''),
  associatedEntityTypeAttribute: z.string(),
  /** The uid of that attribute, where the caller knows it: it counts more than the name, which may have changed meanwhile. */
  associatedEntityTypeAttributeUid: z.string().max(60).nullable().optional(),
  description: z.string().max(20_000).default(''),
  traitReference: z.string().max(400).default(defaults.traitReference),
  simple: z.enum(['true', 'false']).default('true'),
  foreignKeyAttribute: z.object({
    purpose: z.enum(purposes).default('hasA'),
    dataType: z.enum(keyDataTypes).default('integer'),
    typeAttributeName: z.string(),
  }),
  nullable: z.boolean().default(true),
  unique: z.boolean().default(false),
  onDelete: z.enum(onDeleteActions).default('restrict'),
  alternativeTargets: z.array(alternativeTargetSchema).max(100).optional(),
  version: z.string().max(100).optional(),
  position: z.number().int().min(0).optional(),
})
export type RelationshipRequest = z.output<typeof relationshipRequest>

const entityFields = z.object({
  uid: z.string().max(60).optional(),
  name: z.string(),
  extendsEntity: z
    .object({ id: z.number().int(), name: z.string().optional(), path: z.string().optional() })
    .nullable()
    .default(null),
  description: z.string().max(20_000).default(''),
  typeAttributes: z
    .array(typeAttributeRequest)
    .max(limits.attributes, tooMany('type attributes', limits.attributes))
    .default([]),
  entityAttributes: z
    .array(relationshipRequest)
    .max(limits.relationships, tooMany('relationships', limits.relationships))
    .default([]),
  operationScopes: operationScopesSchema.partial().optional(),
})

/** Create and update body (document 1 §7). */
export const entityRequest = z.object({
  entity: entityFields,
  referenceImportPaths: z.array(z.string().max(4000)).max(10_000).optional(),
  traits: z.array(z.unknown()).max(0).default([]),
  targetManifestId: optionalIdSchema,
  type: z.enum(entityTypes).default('EXCLUSIVE'),
  /** The version that is created (absent: 1.0.0) or saved (absent: the latest). */
  version: z.string().max(100).optional(),
  duplicateEntityId: optionalIdSchema,
  /** By the uid of an attribute that a save takes away: what becomes of what refers to it. Counts before the query's. */
  onReferencesTo: z.record(z.string().max(60), z.enum(onReferencesChoices)).optional(),
})
export type EntityRequest = z.output<typeof entityRequest>

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

/** Fields of document 1 §3; `content` is the stored JSON text. */
export const entityAnswer = z.object({
  id: z.number().int(),
  uid: z.string(),
  name: z.string(),
  path: z.string(),
  description: z.string(),
  type: z.enum(entityTypes),
  extendsEntity: entityReferenceSchema.nullable(),
  imports: z.array(z.string()),
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
  copiedFrom: z.string().nullable(),
})
export type EntityAnswer = z.output<typeof entityAnswer>

export const entityEnvelope = z.object({ entity: entityAnswer })
