/* oxlint-disable max-lines -- a table of declarations, one call after the other */
import * as z from 'zod'
import { defaults, limits } from '../limits.ts'
import { entityAttributeSchema, entityReferenceSchema, onDeleteActions } from '../entity-attribute.ts'
import { entityTypes, operationScopesSchema } from '../entity.ts'
import { dataTypes, formats, keyDataTypes, purposes, typeAttributeSchema } from '../type-attribute.ts'
import { defineCall } from './call.ts'
import {
  auditEntryAnswer,
  base,
  idParams,
  idSchema,
  importReportLine,
  listAnswer,
  logQuery,
  multipartBody,
  optionalIdSchema,
  pageQuery,
  resultAnswer,
  userIdQuery,
  versionQuery,
} from './shared.ts'

const tag = 'Entities'

export const entityFilters = ['ALL', 'DEFAULT', 'PRIVATE', 'RESOLVED', 'EXCLUSIVE'] as const

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
  alternativeTargets: z
    .array(z.object({ entity: entityReferenceSchema, attribute: z.string() }))
    .max(100)
    .optional(),
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
  typeAttributes: z.array(typeAttributeRequest).max(5000).default([]),
  entityAttributes: z.array(relationshipRequest).max(5000).default([]),
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

export const entityListItem = z.object({
  id: z.number().int(),
  name: z.string(),
  location: z.string(),
  folder: z.string(),
  type: z.enum(entityTypes),
  operationScopes: operationScopesSchema,
})
export type EntityListItem = z.output<typeof entityListItem>

const entityEnvelope = z.object({ entity: entityAnswer })
const filterQuery = pageQuery().extend({ filter: z.enum(entityFilters).default('ALL') })
const relationshipParams = idParams.extend({ associatedEntityId: idSchema })
/** Which of the relationships to that entity: its foreign key's name (before the change). */
const relationshipQuery = z.object({ associatedAttributeName: z.string().max(400) })

export const getEntity = defineCall({
  id: 'getEntity',
  method: 'GET',
  path: `${base}/entity/{id}`,
  tag,
  access: 'user',
  concurrency: 'etag',
  summary: 'An entity with its own attributes and relationships, and with ALL the resolved list that a consumer sees.',
  params: idParams,
  query: z.object({
    typeAttributeFilter: z.enum(['ALL', 'UNRESOLVED']).default('ALL'),
    version: z.string().max(100).optional(),
  }),
  answer: entityEnvelope,
})

export const deleteEntity = defineCall({
  id: 'deleteEntity',
  method: 'DELETE',
  path: `${base}/entity/{id}`,
  tag,
  access: 'user',
  summary: 'Deletes an entity of the organisation.',
  params: idParams,
  answer: resultAnswer,
})

export const listOrganisationEntities = defineCall({
  id: 'listOrganisationEntities',
  method: 'GET',
  path: '/api/entities.json',
  tag,
  access: 'user',
  summary: "The organisation's entities and the predefined ones.",
  query: filterQuery,
  answer: listAnswer('entity', entityListItem),
})

export const listEntities = defineCall({
  id: 'listEntities',
  method: 'GET',
  path: `${base}/entity`,
  tag,
  access: 'user',
  summary: "Entities, with the pickers' filters.",
  query: filterQuery.extend({
    excludedEntity: optionalIdSchema,
    folderFilter: z.string().max(1000).default(''),
    pathFilter: z.string().max(1000).default(''),
  }),
  answer: listAnswer('entity', entityListItem),
})

export const listEntityFolders = defineCall({
  id: 'listEntityFolders',
  method: 'GET',
  path: `${base}/entity/folders`,
  tag,
  access: 'user',
  summary: 'Folders that hold entities.',
  query: pageQuery(limits.folderLimit),
  answer: listAnswer('folders', z.object({ name: z.string(), path: z.string() })),
})

export const listFolderEntities = defineCall({
  id: 'listFolderEntities',
  method: 'GET',
  path: `${base}/entity/folders/{folder}`,
  tag,
  access: 'user',
  summary: 'Entities of one folder (its path, URL-encoded).',
  params: z.object({ folder: z.string().max(2000) }),
  query: pageQuery(limits.folderLimit),
  answer: listAnswer('entity', entityListItem),
})

export const createEntity = defineCall({
  id: 'createEntity',
  method: 'POST',
  path: `${base}/entity`,
  tag,
  access: 'user',
  concurrency: 'etag',
  summary: 'Creates an entity, in a manifest where one is named.',
  query: userIdQuery,
  body: entityRequest,
  answer: entityEnvelope,
})

export const createEntityByWizard = defineCall({
  id: 'createEntityByWizard',
  method: 'POST',
  path: `${base}/entity/wizard`,
  tag,
  access: 'user',
  concurrency: 'etag',
  summary: 'Creates an entity from the wizard.',
  query: userIdQuery,
  body: entityRequest,
  answer: entityEnvelope,
})

export const updateEntity = defineCall({
  id: 'updateEntity',
  method: 'PUT',
  path: `${base}/entity/{id}`,
  tag,
  access: 'user',
  concurrency: 'if-match',
  summary: 'Saves an entity; merged by field against the state that If-Match names.',
  params: idParams,
  query: userIdQuery,
  body: entityRequest,
  answer: entityEnvelope,
})

export const addRelationship = defineCall({
  id: 'addRelationship',
  method: 'POST',
  path: `${base}/entity/{id}/associatedEntity`,
  tag,
  access: 'user',
  concurrency: 'etag',
  summary: "Adds a relationship; a type attribute of its foreign key's name becomes the foreign key and keeps its uid.",
  params: idParams,
  body: relationshipRequest,
  answer: z.object({ entityAttribute: entityAttributeAnswer }),
})

export const updateRelationship = defineCall({
  id: 'updateRelationship',
  method: 'PUT',
  path: `${base}/entity/{id}/associatedEntity/{associatedEntityId}`,
  tag,
  access: 'user',
  concurrency: 'etag',
  summary: 'Changes a relationship at once.',
  params: relationshipParams,
  query: relationshipQuery,
  body: relationshipRequest,
  answer: z.object({ entityAttribute: entityAttributeAnswer }),
})

export const deleteRelationship = defineCall({
  id: 'deleteRelationship',
  method: 'DELETE',
  path: `${base}/entity/{id}/associatedEntity/{associatedEntityId}`,
  tag,
  access: 'user',
  concurrency: 'etag',
  summary: 'Removes a relationship.',
  params: relationshipParams,
  query: relationshipQuery,
  answer: resultAnswer,
})

export const importEntity = defineCall({
  id: 'importEntity',
  method: 'POST',
  path: `${base}/entity/import`,
  tag,
  access: 'user',
  concurrency: 'etag',
  summary: 'Imports an entity from a .json file.',
  query: userIdQuery.extend({ targetManifest: optionalIdSchema }),
  body: multipartBody,
  files: [{ kind: 'file', part: 'entityFile', extensions: ['.json'] }],
  answer: z.object({ entity: entityAnswer, report: z.array(importReportLine) }),
})

export const addEntityVersion = defineCall({
  id: 'addEntityVersion',
  method: 'POST',
  path: `${base}/entity/custom/{id}/version`,
  tag,
  access: 'user',
  summary: 'Freezes the present state under its number and makes the new one the latest.',
  params: idParams,
  query: versionQuery,
  answer: resultAnswer,
})

export const getEntityVersionContent = defineCall({
  id: 'getEntityVersionContent',
  method: 'GET',
  path: `${base}/entity/version/content/{id}`,
  tag,
  access: 'user',
  summary: 'The stored content of a version.',
  params: idParams,
  query: versionQuery,
  answer: z.object({ entity: z.object({ CONTENT: z.string() }) }),
})

export const listEntityVersions = defineCall({
  id: 'listEntityVersions',
  method: 'GET',
  path: `${base}/entity/custom/{id}/version`,
  tag,
  access: 'user',
  summary: 'The versions of an entity, highest first.',
  params: idParams,
  answer: z.object({
    entityVersions: z.array(
      z.object({ VERSION: z.string(), NAME: z.string(), DESCRIPTION: z.string(), CONTENT: z.string() }),
    ),
  }),
})

export const deleteEntityVersion = defineCall({
  id: 'deleteEntityVersion',
  method: 'DELETE',
  path: `${base}/entity/custom/{id}/version`,
  tag,
  access: 'user',
  summary: 'Deletes a version that is not the latest.',
  params: idParams,
  query: versionQuery,
  answer: resultAnswer,
})

export const listEntityLogs = defineCall({
  id: 'listEntityLogs',
  method: 'GET',
  path: `${base}/entity/logs`,
  tag,
  access: 'user',
  summary: 'Audit entries of entities.',
  query: logQuery,
  answer: z.object({ entityLogs: z.array(auditEntryAnswer), totalElements: z.number().int() }),
})

export const exportEntity = defineCall({
  id: 'exportEntity',
  method: 'POST',
  path: `${base}/entity/{id}/export`,
  tag,
  access: 'user',
  summary: 'The entity as a JSON document that can be imported again.',
  params: idParams,
  answer: z.object({ entityDoc: z.unknown(), fileName: z.string(), result: z.literal('OK'), message: z.string() }),
})

export const adminCreateEntity = defineCall({
  id: 'adminCreateEntity',
  method: 'POST',
  path: `${base}/admin/entity`,
  tag,
  access: 'admin',
  concurrency: 'etag',
  summary: "Creates an entity in another organisation ('org' is its code).",
  body: entityRequest.extend({ org: z.string().max(200) }),
  answer: entityEnvelope,
})

const contentBody = z.object({ id: idSchema, content: z.string().max(limits.requestBody) })
export const adminValidateEntityContent = defineCall({
  id: 'adminValidateEntityContent',
  method: 'POST',
  path: `${base}/admin/entity/content/validate`,
  tag,
  access: 'admin',
  summary: 'Checks the JSON content of an entity without storing it.',
  body: contentBody,
  answer: resultAnswer,
})
export const adminUpdateEntityContent = defineCall({
  id: 'adminUpdateEntityContent',
  method: 'PUT',
  path: `${base}/admin/entity/content`,
  tag,
  access: 'admin',
  concurrency: 'if-match',
  summary: 'Stores the JSON content of an entity.',
  body: contentBody,
  answer: entityEnvelope,
})
export const adminReloadEntity = defineCall({
  id: 'adminReloadEntity',
  method: 'PUT',
  path: `${base}/admin/reload/entity/{id}`,
  tag,
  access: 'admin',
  summary: 'Reads a predefined entity again from the library.',
  params: idParams,
  answer: entityEnvelope,
})

export const entityCalls = {
  listEntityFolders,
  listFolderEntities,
  listEntityLogs,
  getEntityVersionContent,
  getEntity,
  deleteEntity,
  listOrganisationEntities,
  listEntities,
  createEntity,
  createEntityByWizard,
  updateEntity,
  addRelationship,
  updateRelationship,
  deleteRelationship,
  importEntity,
  addEntityVersion,
  listEntityVersions,
  deleteEntityVersion,
  exportEntity,
  adminCreateEntity,
  adminValidateEntityContent,
  adminUpdateEntityContent,
  adminReloadEntity,
}
