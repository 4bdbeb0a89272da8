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
  summary: 'Deletes a manifest with the entities that only it owns.',
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
    /** The package that is being built of it; null for a manifest alone, and where it could not be begun. */
    package: z.object({ packageId: z.number().int(), packageName: z.string(), version: z.string() }).nullable(),
    /** Why it could not; '' otherwise. The manifest is there all the same. */
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
    'Renames a manifest: the paths of its entities follow. `If-Match` is the tag of the state that it was read in, or `*` for whatever it is now. What the body leaves out is unchanged; what a GET answered changes nothing.',
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
  summary: "The organisation's manifests and the predefined ones.",
  query: manifestListQuery,
  answer: listAnswer('manifests', manifestListItem),
})

export const listManifestFolders = defineCall({
  id: 'listManifestFolders',
  method: 'GET',
  path: `${base}/manifest/folders`,
  tag: manifestTag,
  access: 'user',
  summary: 'Folders that hold manifests.',
  query: pageQuery(limits.folderLimit),
  answer: listAnswer('folders', z.object({ name: z.string(), path: z.string() })),
})

export const listFolderManifests = defineCall({
  id: 'listFolderManifests',
  method: 'GET',
  path: `${base}/manifest/folders/{folder}`,
  tag: manifestTag,
  access: 'user',
  summary: 'Manifests of one folder (its path, URL-encoded).',
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
  summary: 'Audit entries of manifests.',
  query: logQuery,
  answer: z.object({ manifestLogs: z.array(auditEntrySchema), totalElements: z.number().int() }),
})

/** Of this family too: they are apart because the page needs them first. */
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
