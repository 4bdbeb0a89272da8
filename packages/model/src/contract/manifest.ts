import * as z from 'zod'
import { auditEntrySchema } from '../audit-entry.ts'
import { limits } from '../limits.ts'
import { defineCall } from './call.ts'
import { onReferencesQuery } from './references.ts'
import { listManifests, manifestListItem, manifestListQuery, manifestTag } from './lists.ts'
import { logQuery } from './log-query.ts'
import { manifestEnvelope, manifestRequest, manifestUpdate, manifestWizardRequest } from './manifest-shapes.ts'
import { base } from './routes.ts'
import { idParams, listAnswer, pageQuery, resultAnswer, saveIdQuery, userIdQuery } from './shared.ts'

export const deleteManifest = defineCall({
  id: 'deleteManifest',
  method: 'DELETE',
  path: `${base}/manifest/{id}`,
  tag: manifestTag,
  access: 'user',
  summary: 'Deletes a manifest with the entities it owns.',
  params: idParams,
  query: onReferencesQuery,
  answer: resultAnswer,
})

export const createManifest = defineCall({
  id: 'createManifest',
  method: 'POST',
  path: `${base}/manifest`,
  tag: manifestTag,
  access: 'user',
  concurrency: 'etag',
  summary: 'Creates a manifest.',
  query: userIdQuery.extend(saveIdQuery.shape),
  body: manifestRequest,
  answer: manifestEnvelope,
})

export const createManifestByWizard = defineCall({
  id: 'createManifestByWizard',
  method: 'POST',
  path: `${base}/manifest/wizard`,
  tag: manifestTag,
  access: 'user',
  concurrency: 'etag',
  summary: 'Creates a manifest from the wizard, empty or as a duplicate.',
  query: userIdQuery.extend(saveIdQuery.shape),
  body: manifestWizardRequest,
  answer: manifestEnvelope.extend({
    generateType: z.enum(['Manifest', 'Database', 'DatabaseApi']),
    /** The package being built from it; null for a manifest alone, or if the build could not start. */
    package: z.object({ packageId: z.number().int(), packageName: z.string(), version: z.string() }).nullable(),
    /** Reason why the build could not start; '' otherwise. The manifest is created in either case. */
    buildMessage: z.string(),
  }),
})

export const getManifest = defineCall({
  id: 'getManifest',
  method: 'GET',
  path: `${base}/manifest/{id}`,
  tag: manifestTag,
  access: 'user',
  concurrency: 'etag',
  summary: 'A manifest with its entities and sub-manifests.',
  params: idParams,
  query: z.object({ version: z.string().max(100).optional() }),
  answer: manifestEnvelope,
})

export const updateManifest = defineCall({
  id: 'updateManifest',
  method: 'PUT',
  path: `${base}/manifest/{id}`,
  tag: manifestTag,
  access: 'user',
  concurrency: 'if-match',
  summary:
    'Renames a manifest and adjusts the paths of its entities. `If-Match`: the tag of the state that was read, or `*` for the current one. Absent fields are unchanged; sending back a GET answer changes nothing.',
  params: idParams,
  body: manifestUpdate,
  answer: manifestEnvelope,
})

export const listOrganisationManifests = defineCall({
  id: 'listOrganisationManifests',
  method: 'GET',
  path: '/api/manifests.json',
  tag: manifestTag,
  access: 'user',
  summary: "Lists the organisation's manifests and the predefined ones.",
  query: manifestListQuery,
  answer: listAnswer('manifests', manifestListItem),
})

export const listManifestFolders = defineCall({
  id: 'listManifestFolders',
  method: 'GET',
  path: `${base}/manifest/folders`,
  tag: manifestTag,
  access: 'user',
  summary: 'Lists folders that contain manifests.',
  query: pageQuery(limits.folderLimit),
  answer: listAnswer('folders', z.object({ name: z.string(), path: z.string() })),
})

export const listFolderManifests = defineCall({
  id: 'listFolderManifests',
  method: 'GET',
  path: `${base}/manifest/folders/{folder}`,
  tag: manifestTag,
  access: 'user',
  summary: 'Lists the manifests of a folder (its path, URL-encoded).',
  params: z.object({ folder: z.string().max(2000) }),
  query: pageQuery(),
  answer: listAnswer('manifests', manifestListItem),
})

export const listManifestLogs = defineCall({
  id: 'listManifestLogs',
  method: 'GET',
  path: `${base}/manifest/logs`,
  tag: manifestTag,
  access: 'user',
  summary: 'Lists audit entries of manifests.',
  query: logQuery,
  answer: z.object({ manifestLogs: z.array(auditEntrySchema), totalElements: z.number().int() }),
})

/** Declared in `lists.ts`, which the page loads first. */
export { listManifests }

export const manifestCalls = {
  deleteManifest,
  createManifest,
  createManifestByWizard,
  getManifest,
  updateManifest,
  listManifests,
  listOrganisationManifests,
  listManifestFolders,
  listFolderManifests,
  listManifestLogs,
}
