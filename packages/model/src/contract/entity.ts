import * as z from 'zod'
import { auditEntrySchema } from '../audit-entry.ts'
import { limits } from '../limits.ts'
import { defineCall } from './call.ts'
import { onReferencesQuery } from './references.ts'
import { entityAnswer, entityEnvelope, entityRequest, entityUpdate } from './entity-shapes.ts'
import { importReportLine } from './import-shapes.ts'
import { entityListItem, entityListQuery, entityTag, listEntities } from './lists.ts'
import { logQuery } from './log-query.ts'
import { base } from './routes.ts'
import {
  idParams,
  listAnswer,
  multipartBody,
  optionalIdText,
  pageQuery,
  resultAnswer,
  savedByQuery,
  saveIdQuery,
  userIdQuery,
} from './shared.ts'

export const getEntity = defineCall({
  id: 'getEntity',
  method: 'GET',
  path: `${base}/entity/{id}`,
  tag: entityTag,
  access: 'user',
  concurrency: 'etag',
  summary:
    'An entity with its own attributes and relationships; with ALL also the resolved attributes, inherited ones included. `savedBy` selects the state made by that save.',
  params: idParams,
  query: savedByQuery.extend({
    typeAttributeFilter: z.enum(['ALL', 'UNRESOLVED']).default('ALL'),
    version: z.string().max(100).optional(),
  }),
  answer: entityEnvelope,
})

export const getEntityScopes = defineCall({
  id: 'getEntityScopes',
  method: 'GET',
  path: `${base}/entity/{id}/scopes`,
  tag: entityTag,
  access: 'user',
  summary: 'Scopes available for its operations: those defined by its manifests, except their global scopes.',
  params: idParams,
  answer: z.object({ scopes: z.array(z.string()) }),
})

export const deleteEntity = defineCall({
  id: 'deleteEntity',
  method: 'DELETE',
  path: `${base}/entity/{id}`,
  tag: entityTag,
  access: 'user',
  summary: 'Deletes an entity of the organisation.',
  params: idParams,
  query: onReferencesQuery,
  answer: resultAnswer,
})

export const listOrganisationEntities = defineCall({
  id: 'listOrganisationEntities',
  method: 'GET',
  path: '/api/entities.json',
  tag: entityTag,
  access: 'user',
  summary: "Lists the organisation's entities and the predefined ones.",
  query: entityListQuery,
  answer: listAnswer('entity', entityListItem),
})

export const listEntityFolders = defineCall({
  id: 'listEntityFolders',
  method: 'GET',
  path: `${base}/entity/folders`,
  tag: entityTag,
  access: 'user',
  summary: 'Lists folders that contain entities.',
  query: pageQuery(limits.folderLimit),
  answer: listAnswer('folders', z.object({ name: z.string(), path: z.string() })),
})

export const listFolderEntities = defineCall({
  id: 'listFolderEntities',
  method: 'GET',
  path: `${base}/entity/folders/{folder}`,
  tag: entityTag,
  access: 'user',
  summary: 'Lists the entities of a folder (its path, URL-encoded).',
  params: z.object({ folder: z.string().max(2000) }),
  query: pageQuery(limits.folderLimit),
  answer: listAnswer('entity', entityListItem),
})

export const createEntity = defineCall({
  id: 'createEntity',
  method: 'POST',
  path: `${base}/entity`,
  tag: entityTag,
  access: 'user',
  concurrency: 'etag',
  summary: 'Creates an entity, optionally in a manifest.',
  query: userIdQuery.extend(saveIdQuery.shape),
  body: entityRequest,
  answer: entityEnvelope,
})

export const createEntityByWizard = defineCall({
  id: 'createEntityByWizard',
  method: 'POST',
  path: `${base}/entity/wizard`,
  tag: entityTag,
  access: 'user',
  concurrency: 'etag',
  summary: 'Creates an entity from the wizard.',
  query: userIdQuery.extend(saveIdQuery.shape),
  body: entityRequest,
  answer: entityEnvelope,
})

export const updateEntity = defineCall({
  id: 'updateEntity',
  method: 'PUT',
  path: `${base}/entity/{id}`,
  tag: entityTag,
  access: 'user',
  concurrency: 'if-match',
  summary:
    'Saves an entity; merged by field against the state of If-Match. Absent fields and lists are unchanged; a list that is sent is complete. Sending back a GET answer changes nothing. 409 if it removes an attribute with references and `onReferences` is absent.',
  params: idParams,
  query: userIdQuery.extend({ ...onReferencesQuery.shape, ...saveIdQuery.shape }),
  body: entityUpdate,
  answer: entityEnvelope,
})

export const importEntity = defineCall({
  id: 'importEntity',
  method: 'POST',
  path: `${base}/entity/import`,
  tag: entityTag,
  access: 'user',
  concurrency: 'etag',
  summary: 'Imports an entity from a .json file.',
  query: userIdQuery.extend({ targetManifest: optionalIdText }),
  body: multipartBody,
  files: [{ kind: 'file', part: 'entityFile', extensions: ['.json'] }],
  answer: z.object({ entity: entityAnswer, report: z.array(importReportLine) }),
})

export const listEntityLogs = defineCall({
  id: 'listEntityLogs',
  method: 'GET',
  path: `${base}/entity/logs`,
  tag: entityTag,
  access: 'user',
  summary: 'Lists audit entries of entities.',
  query: logQuery,
  answer: z.object({ entityLogs: z.array(auditEntrySchema), totalElements: z.number().int() }),
})

export const exportEntity = defineCall({
  id: 'exportEntity',
  method: 'POST',
  path: `${base}/entity/{id}/export`,
  tag: entityTag,
  access: 'user',
  reads: true,
  summary: 'Exports an entity as a JSON document for import.',
  params: idParams,
  answer: z.object({ entityDoc: z.unknown(), fileName: z.string(), result: z.literal('OK'), message: z.string() }),
})

/** Declared in `lists.ts`, which the page loads first. */
export { listEntities }

export const entityCalls = {
  getEntity,
  getEntityScopes,
  deleteEntity,
  listOrganisationEntities,
  listEntities,
  listEntityFolders,
  listFolderEntities,
  createEntity,
  createEntityByWizard,
  updateEntity,
  importEntity,
  listEntityLogs,
  exportEntity,
}
