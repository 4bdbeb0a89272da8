import * as z from 'zod'
import { auditEntrySchema } from '../audit-differences.ts'
import { limits } from '../limits.ts'
import {
  entityAnswer,
  entityAttributeAnswer,
  entityEnvelope,
  entityRequest,
  entityUpdate,
  relationshipRequest,
} from './entity-shapes.ts'
import {
  idParams,
  importReportLine,
  listAnswer,
  multipartBody,
  optionalIdText,
  pageQuery,
  resultAnswer,
  noSavedBy,
  saveIdQuery,
  userIdQuery,
  versionQuery,
} from './shared.ts'
import { entityCall, entityListItem, entityListQuery, listEntities } from './lists.ts'
import { logQuery } from './audit.ts'
import { onReferencesQuery } from './references.ts'
import { base } from './routes.ts'

export const getEntity = entityCall({
  id: 'getEntity',
  method: 'GET',
  path: `${base}/entity/{id}`,
  concurrency: 'etag',
  summary:
    'An entity with its own attributes and relationships; with ALL also the resolved attributes, inherited ones included.',
  params: idParams,
  query: noSavedBy.extend({
    typeAttributeFilter: z.enum(['ALL', 'UNRESOLVED']).default('ALL'),
    version: z.string().max(100).optional(),
  }),
  answer: entityEnvelope,
})

export const getEntityScopes = entityCall({
  id: 'getEntityScopes',
  method: 'GET',
  path: `${base}/entity/{id}/scopes`,
  summary: 'Scopes available for its operations: those defined by its manifests, except their global scopes.',
  params: idParams,
  answer: z.object({ scopes: z.array(z.string()) }),
})

export const deleteEntity = entityCall({
  id: 'deleteEntity',
  method: 'DELETE',
  path: `${base}/entity/{id}`,
  summary: 'Deletes an entity of the organisation.',
  params: idParams,
  query: onReferencesQuery,
  answer: resultAnswer,
})

export const listOrganisationEntities = entityCall({
  id: 'listOrganisationEntities',
  method: 'GET',
  path: '/api/entities.json',
  summary: "Lists the organisation's entities and the predefined ones.",
  query: entityListQuery,
  answer: listAnswer('entity', entityListItem),
})

export const listEntityFolders = entityCall({
  id: 'listEntityFolders',
  method: 'GET',
  path: `${base}/entity/folders`,
  summary: 'Lists folders that contain entities.',
  query: pageQuery(limits.folderLimit),
  answer: listAnswer('folders', z.object({ name: z.string(), path: z.string() })),
})

export const listFolderEntities = entityCall({
  id: 'listFolderEntities',
  method: 'GET',
  path: `${base}/entity/folders/{folder}`,
  summary: 'Lists the entities of a folder (its path, URL-encoded).',
  params: z.object({ folder: z.string().max(2000) }),
  query: pageQuery(limits.folderLimit),
  answer: listAnswer('entity', entityListItem),
})

export const createEntity = entityCall({
  id: 'createEntity',
  method: 'POST',
  path: `${base}/entity`,
  concurrency: 'etag',
  summary: 'Creates an entity, optionally in a manifest.',
  query: userIdQuery.extend(saveIdQuery.shape),
  body: entityRequest,
  answer: entityEnvelope,
})

export const createEntityByWizard = entityCall({
  id: 'createEntityByWizard',
  method: 'POST',
  path: `${base}/entity/wizard`,
  concurrency: 'etag',
  summary: 'Creates an entity from the wizard.',
  query: userIdQuery.extend(saveIdQuery.shape),
  body: entityRequest,
  answer: entityEnvelope,
})

export const updateEntity = entityCall({
  id: 'updateEntity',
  method: 'PUT',
  path: `${base}/entity/{id}`,
  concurrency: 'if-match',
  summary:
    'Saves an entity; merged by field against the state of If-Match. Absent fields and lists are unchanged; a list that is sent is complete. Sending back a GET answer changes nothing. 409 if it removes an attribute with references and `onReferences` is absent.',
  params: idParams,
  query: userIdQuery.extend({ ...onReferencesQuery.shape, ...saveIdQuery.shape }),
  body: entityUpdate,
  answer: entityEnvelope,
})

export const importEntity = entityCall({
  id: 'importEntity',
  method: 'POST',
  path: `${base}/entity/import`,
  concurrency: 'etag',
  summary: 'Imports an entity from a .json file.',
  query: userIdQuery.extend({ targetManifest: optionalIdText }),
  body: multipartBody,
  files: [{ kind: 'file', part: 'entityFile', extensions: ['.json'] }],
  answer: z.object({ entity: entityAnswer, report: z.array(importReportLine) }),
})

export const listEntityLogs = entityCall({
  id: 'listEntityLogs',
  method: 'GET',
  path: `${base}/entity/logs`,
  summary: 'Lists audit entries of entities.',
  query: logQuery,
  answer: z.object({ entityLogs: z.array(auditEntrySchema), totalElements: z.number().int() }),
})

export const exportEntity = entityCall({
  id: 'exportEntity',
  method: 'POST',
  path: `${base}/entity/{id}/export`,
  reads: true,
  summary: 'Exports an entity as a JSON document for import.',
  params: idParams,
  answer: z.object({ entityDoc: z.unknown(), fileName: z.string(), result: z.literal('OK'), message: z.string() }),
})

/** Declared in `lists.ts`, which the page loads first. */
export { listEntities }

export const addEntityVersion = entityCall({
  id: 'addEntityVersion',
  method: 'POST',
  path: `${base}/entity/custom/{id}/version`,
  summary: 'Freezes the current state under its version number and makes the new version the latest.',
  params: idParams,
  query: versionQuery.extend(saveIdQuery.shape),
  answer: resultAnswer,
})

export const getEntityVersionContent = entityCall({
  id: 'getEntityVersionContent',
  method: 'GET',
  path: `${base}/entity/version/content/{id}`,
  summary: 'The stored content of a version.',
  params: idParams,
  query: versionQuery,
  answer: z.object({ entity: z.object({ CONTENT: z.string() }) }),
})

export const listEntityVersions = entityCall({
  id: 'listEntityVersions',
  method: 'GET',
  path: `${base}/entity/custom/{id}/version`,
  summary: 'Lists the versions of an entity, highest first.',
  params: idParams,
  answer: z.object({
    entityVersions: z.array(
      z.object({ VERSION: z.string(), NAME: z.string(), DESCRIPTION: z.string(), CONTENT: z.string() }),
    ),
  }),
})

export const deleteEntityVersion = entityCall({
  id: 'deleteEntityVersion',
  method: 'DELETE',
  path: `${base}/entity/custom/{id}/version`,
  summary: 'Deletes a version that is not the latest.',
  params: idParams,
  query: versionQuery,
  answer: resultAnswer,
})

/** An attribute or foreign key with its entity. */
const attributeMatch = z.object({
  uid: z.string(),
  name: z.string(),
  entity: z.object({ id: z.number().int(), name: z.string(), path: z.string() }),
})
export type AttributeMatch = z.output<typeof attributeMatch>

export const searchAttributes = entityCall({
  id: 'searchAttributes',
  method: 'GET',
  path: `${base}/attribute`,
  summary: 'Searches attributes and foreign keys by name: own ones first, then exact names, prefixes, others.',
  query: z.object({
    search: z.string().max(200).default(''),
    limit: z.coerce.number().int().min(1).max(limits.listLimit.max).default(limits.treePageSize),
  }),
  answer: z.object({ attributes: z.array(attributeMatch) }),
})

/** -1 if the target entity is not stored. */
const openIdSchema = z.coerce.number().int().min(-1)
const relationshipParams = idParams.extend({ associatedEntityId: openIdSchema })

/** Name of the relationship's foreign key before the change. */
const relationshipQuery = z.object({ associatedAttributeName: z.string().max(400) })

/** The relationship, and its entity in the state of the answer's ETag, which may include concurrent changes. */
const relationshipAnswer = z.object({ entityAttribute: entityAttributeAnswer, entity: entityAnswer })
export type RelationshipAnswer = z.output<typeof relationshipAnswer>

export const addRelationship = entityCall({
  id: 'addRelationship',
  method: 'POST',
  path: `${base}/entity/{id}/associatedEntity`,
  concurrency: 'if-match',
  summary:
    "Adds a relationship; a type attribute with its foreign key's name becomes the foreign key and keeps its uid.",
  params: idParams,
  query: saveIdQuery,
  body: relationshipRequest,
  answer: relationshipAnswer,
})

export const updateRelationship = entityCall({
  id: 'updateRelationship',
  method: 'PUT',
  path: `${base}/entity/{id}/associatedEntity/{associatedEntityId}`,
  concurrency: 'if-match',
  summary:
    'Changes a relationship, merged by field with saves since the state of If-Match. Absent fields are unchanged; sending back a relationship as answered changes nothing.',
  params: relationshipParams,
  query: relationshipQuery,
  body: relationshipRequest,
  answer: relationshipAnswer,
})

export const deleteRelationship = entityCall({
  id: 'deleteRelationship',
  method: 'DELETE',
  path: `${base}/entity/{id}/associatedEntity/{associatedEntityId}`,
  concurrency: 'if-match',
  summary:
    'Removes a relationship; 409 if it changed since the state of If-Match, or if its foreign key has references and `onReferences` is absent.',
  params: relationshipParams,
  query: relationshipQuery.extend(onReferencesQuery.shape),
  answer: resultAnswer.extend(entityEnvelope.shape),
})
