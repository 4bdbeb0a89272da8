import * as z from 'zod'
import { auditEntrySchema } from '../audit-differences.ts'
import { configurationChangeSchema, configurationSchema } from '../configuration.ts'
import { entityReferenceSchema } from '../entity-attribute.ts'
import { limits } from '../limits.ts'
import { nameConflictStrategies } from '../name-conflicts.ts'
import { operationScopesSchema } from '../operations.ts'
import {
  listManifestEntities,
  listManifests,
  listSubManifests,
  manifestCall,
  manifestListItem,
  manifestListQuery,
} from './lists.ts'
import { logQuery } from './audit.ts'
import {
  manifestEnvelope,
  manifestRequest,
  manifestUpdate,
  manifestWizardRequest,
  memberTypeSchema,
} from './manifest-shapes.ts'
import { onReferencesQuery } from './references.ts'
import { base } from './routes.ts'
import {
  idParams,
  idSchema,
  idText,
  listAnswer,
  pageQuery,
  resultAnswer,
  noSavedBy,
  saveIdQuery,
  userIdQuery,
  versionQuery,
} from './shared.ts'

export const deleteManifest = manifestCall({
  id: 'deleteManifest',
  method: 'DELETE',
  path: `${base}/manifest/{id}`,
  summary: 'Deletes a manifest with the entities it owns.',
  params: idParams,
  query: onReferencesQuery,
  answer: resultAnswer,
})

export const createManifest = manifestCall({
  id: 'createManifest',
  method: 'POST',
  path: `${base}/manifest`,
  concurrency: 'etag',
  summary: 'Creates a manifest.',
  query: userIdQuery.extend(saveIdQuery.shape),
  body: manifestRequest,
  answer: manifestEnvelope,
})

export const createManifestByWizard = manifestCall({
  id: 'createManifestByWizard',
  method: 'POST',
  path: `${base}/manifest/wizard`,
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

export const getManifest = manifestCall({
  id: 'getManifest',
  method: 'GET',
  path: `${base}/manifest/{id}`,
  concurrency: 'etag',
  summary: 'A manifest with its entities and sub-manifests.',
  params: idParams,
  query: z.object({ version: z.string().max(100).optional() }),
  answer: manifestEnvelope,
})

export const updateManifest = manifestCall({
  id: 'updateManifest',
  method: 'PUT',
  path: `${base}/manifest/{id}`,
  concurrency: 'if-match',
  summary:
    'Renames a manifest and adjusts the paths of its entities. `If-Match`: the tag of the state that was read, or `*` for the current one. Absent fields are unchanged; sending back a GET answer changes nothing.',
  params: idParams,
  body: manifestUpdate,
  answer: manifestEnvelope,
})

export const listOrganisationManifests = manifestCall({
  id: 'listOrganisationManifests',
  method: 'GET',
  path: '/api/manifests.json',
  summary: "Lists the organisation's manifests and the predefined ones.",
  query: manifestListQuery,
  answer: listAnswer('manifests', manifestListItem),
})

export const listManifestFolders = manifestCall({
  id: 'listManifestFolders',
  method: 'GET',
  path: `${base}/manifest/folders`,
  summary: 'Lists folders that contain manifests.',
  query: pageQuery(limits.folderLimit),
  answer: listAnswer('folders', z.object({ name: z.string(), path: z.string() })),
})

export const listFolderManifests = manifestCall({
  id: 'listFolderManifests',
  method: 'GET',
  path: `${base}/manifest/folders/{folder}`,
  summary: 'Lists the manifests of a folder (its path, URL-encoded).',
  params: z.object({ folder: z.string().max(2000) }),
  query: pageQuery(),
  answer: listAnswer('manifests', manifestListItem),
})

export const listManifestLogs = manifestCall({
  id: 'listManifestLogs',
  method: 'GET',
  path: `${base}/manifest/logs`,
  summary: 'Lists audit entries of manifests.',
  query: logQuery,
  answer: z.object({ manifestLogs: z.array(auditEntrySchema), totalElements: z.number().int() }),
})

/** Declared in `lists.ts`, which the page loads first. */
export { listManifests }

export const addManifestVersion = manifestCall({
  id: 'addManifestVersion',
  method: 'POST',
  path: `${base}/manifest/{id}/version`,
  summary: 'Freezes the current state under its version number and makes the new version the latest.',
  params: idParams,
  query: versionQuery.extend(saveIdQuery.shape),
  answer: resultAnswer,
})

export const getManifestVersionContent = manifestCall({
  id: 'getManifestVersionContent',
  method: 'GET',
  path: `${base}/manifest/version/content/{id}`,
  summary: 'The stored content of a version.',
  params: idParams,
  query: versionQuery,
  answer: z.object({ manifest: z.object({ CONTENT: z.string() }) }),
})

export const listManifestVersions = manifestCall({
  id: 'listManifestVersions',
  method: 'GET',
  path: `${base}/manifest/{id}/version`,
  summary: 'Lists the versions of a manifest, highest first.',
  params: idParams,
  answer: z.object({ manifestVersions: z.array(z.object({ VERSION: z.string(), CONTENT: z.string() })) }),
})

export const deleteManifestVersion = manifestCall({
  id: 'deleteManifestVersion',
  method: 'DELETE',
  path: `${base}/manifest/{id}/version`,
  summary: 'Deletes a version that is not the latest.',
  params: idParams,
  query: versionQuery,
  answer: resultAnswer,
})

export const addEntitiesToManifest = manifestCall({
  id: 'addEntitiesToManifest',
  method: 'POST',
  path: `${base}/manifest/{id}/entities`,
  summary: 'Adds entities: EXCLUSIVE copies them, TEMPLATE (administrators) refers to them in place.',
  params: idParams,
  query: userIdQuery,
  body: z.strictObject({
    entityIds: z.array(idSchema).min(1).max(10_000),
    type: memberTypeSchema.default('EXCLUSIVE'),
  }),
  answer: resultAnswer.extend({ entities: z.array(entityReferenceSchema) }),
})

export const removeEntityFromManifest = manifestCall({
  id: 'removeEntityFromManifest',
  method: 'DELETE',
  path: `${base}/manifest/{id}/entity/{entityId}`,
  summary: 'Removes an entity from a manifest; an exclusive one is deleted with it.',
  params: idParams.extend({ entityId: idText }),
  query: onReferencesQuery,
  answer: resultAnswer,
})

export const removeSubManifest = manifestCall({
  id: 'removeSubManifest',
  method: 'DELETE',
  path: `${base}/manifest/{id}/submanifest/{subId}`,
  summary: 'Removes a sub-manifest from this parent without deleting it.',
  params: idParams.extend({ subId: idText }),
  answer: resultAnswer,
})

export const addSubManifests = manifestCall({
  id: 'addSubManifests',
  method: 'PUT',
  path: `${base}/manifest/{id}/subManifests`,
  summary: 'Adds sub-manifests.',
  params: idParams,
  body: z.strictObject({ submanifests: z.array(idSchema).min(1).max(10_000) }),
  answer: resultAnswer,
})

export const listManifestParents = manifestCall({
  id: 'listManifestParents',
  method: 'GET',
  path: `${base}/manifest/{id}/parents`,
  summary: 'Lists the manifests that refer to this one as a sub-manifest.',
  params: idParams,
  query: pageQuery(),
  answer: listAnswer('manifests', manifestListItem),
})

/** Declared in `lists.ts`, which the page loads first. */
export { listManifestEntities, listSubManifests }

export const getManifestConfiguration = manifestCall({
  id: 'getManifestConfiguration',
  method: 'GET',
  path: `${base}/manifest/{id}/configuration`,
  concurrency: 'etag',
  summary: 'The configuration of a manifest without secrets.',
  params: idParams,
  query: noSavedBy,
  answer: z.object({ manifestProperties: configurationSchema }),
})

export const saveManifestConfiguration = manifestCall({
  id: 'saveManifestConfiguration',
  method: 'POST',
  path: `${base}/manifest/{id}/configuration`,
  concurrency: 'if-match',
  summary:
    'Saves the configuration of a manifest, merged by field with saves since the state of If-Match. Absent fields are unchanged; sending back a GET answer changes nothing. Returns the merged configuration without secrets.',
  params: idParams,
  query: userIdQuery.extend({
    ...saveIdQuery.shape,
    /** The manifest version that the configuration was made for; absent: the latest. */
    version: z.string().max(100).optional(),
  }),
  body: configurationChangeSchema,
  answer: resultAnswer.extend({ manifestProperties: configurationSchema }),
})

const manifestPathsAnswer = z.object({
  /** Entities of the manifest and its sub-manifests, each with the attribute that identifies its records. */
  entities: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      path: z.string(),
      primaryKey: z.string().nullable(),
      /** Scopes required by its operations; absent without such scopes. */
      operationScopes: operationScopesSchema.optional(),
    }),
  ),
  /** All scopes required by operations of these entities. */
  scopes: z.array(z.string()),
})
export type ManifestPaths = z.output<typeof manifestPathsAnswer>

export const getManifestPaths = manifestCall({
  id: 'getManifestPaths',
  method: 'GET',
  path: `${base}/manifest/{id}/paths`,
  summary: 'Entities that a configuration may refer to, and the scopes that their operations require.',
  params: idParams,
  answer: manifestPathsAnswer,
})

const strategy = z.enum(nameConflictStrategies)
const named = z.object({ id: z.number().int(), name: z.string() })

const nameConflictStep = z.object({
  action: z.enum(['rename', 'leaveOut', 'none']),
  entity: named.extend({ uid: z.string(), path: z.string() }),
  /** The entity that keeps the name. */
  keeper: named.extend({ uid: z.string(), path: z.string() }),
  /** New name and path of a renamed entity. */
  name: z.string().optional(),
  path: z.string().optional(),
  /** Manifests that the entity is removed from; `deletes`: one of them owns it, so it is deleted. */
  from: z.array(named).optional(),
  deletes: z.boolean().optional(),
  /** Reason why it is not renamed, or why the conflict cannot be resolved. */
  reason: z.string().optional(),
})
export type NameConflictStepAnswer = z.infer<typeof nameConflictStep>

export const listNamesakes = manifestCall({
  id: 'listNamesakes',
  method: 'GET',
  path: `${base}/manifest/{id}/namesakes`,
  concurrency: 'etag',
  summary:
    'Lists name conflicts among the entities of a manifest and its sub-manifests (same name, neither extends the other), and what a strategy would do with each. Changes nothing.',
  params: idParams,
  query: z.object({ strategy: strategy.default('prefix') }),
  answer: z.object({ steps: z.array(nameConflictStep) }),
})

export const resolveNamesakes = manifestCall({
  id: 'resolveNamesakes',
  method: 'POST',
  path: `${base}/manifest/{id}/namesakes`,
  concurrency: 'if-match',
  summary:
    'Applies the steps that `listNamesakes` returns for the strategy. `If-Match`: the tag of that list, or `*` for its current state. References to a deleted entity become plain attributes.',
  params: idParams,
  query: userIdQuery,
  body: z.strictObject({ strategy }),
  answer: resultAnswer.extend({ steps: z.array(nameConflictStep) }),
})
