/* oxlint-disable max-lines -- a table of declarations, one call after the other */
import * as z from 'zod'
import { databaseTypeSchema } from '../database-types.ts'
import { entityReferenceSchema } from '../entity-attribute.ts'
import { defaults, limits } from '../limits.ts'
import { memberTypes } from '../manifest.ts'
import { defineCall } from './call.ts'
import { entityListItem } from './entity.ts'
import {
  auditEntryAnswer,
  base,
  flag,
  idParams,
  idSchema,
  importReportLine,
  listAnswer,
  logQuery,
  multipartBody,
  optionalIdSchema,
  pageQuery,
  progressAnswer,
  resultAnswer,
  userIdQuery,
  versionQuery,
} from './shared.ts'

const tag = 'Manifests'

export const manifestFilters = ['ALL', 'DEFAULT', 'PRIVATE'] as const
export const exportTypes = ['DB_STRUCTURE'] as const
export const importKinds = ['CDM_SCHEMA'] as const

/** Case does not matter on the wire. */
export const memberTypeSchema = z
  .string()
  .transform(text => text.toUpperCase())
  .pipe(z.enum(memberTypes))

export const manifestAnswer = z.object({
  id: z.number().int(),
  uid: z.string(),
  name: z.string(),
  path: z.string(),
  description: z.string(),
  entityPaths: z.array(entityReferenceSchema.extend({ type: z.enum(memberTypes) })),
  subManifestPaths: z.array(entityReferenceSchema),
  parentManifestId: z.number().int(),
  isDefault: z.boolean(),
  versions: z.array(z.string()),
  latestVersion: z.string(),
  currentVersion: z.string(),
  relationships: z.array(
    z.object({
      fromEntity: z.string(),
      fromEntityAttribute: z.string(),
      toEntity: z.string(),
      toEntityAttribute: z.string(),
    }),
  ),
  /** As the configuration call answers it, without secrets. */
  configuration: z.unknown(),
})
export type ManifestAnswer = z.output<typeof manifestAnswer>

export const manifestListItem = z.object({
  id: z.number().int(),
  name: z.string(),
  location: z.string(),
  folder: z.string(),
  isDefault: z.boolean(),
  latestVersion: z.string(),
  entityCount: z.number().int(),
  subManifestCount: z.number().int(),
})
export type ManifestListItem = z.output<typeof manifestListItem>

const manifestEnvelope = z.object({ manifest: manifestAnswer })

/** The manifest body of a plain creation. */
export const manifestRequest = z.object({
  manifestName: z.string(),
  description: z.string().max(20_000).default(''),
  importsPath: z
    .union([z.string().transform(path => (path === '' ? [] : [path])), z.array(z.string().max(4000)).max(10_000)])
    .default([]),
  entities: z.array(idSchema).max(10_000).default([]),
  exclusiveEntities: z.array(z.string()).max(10_000).default([]),
  subManifests: z.array(idSchema).max(10_000).default([]),
})

/** The creation payload of document 2 §3. */
export const manifestWizardRequest = manifestRequest.extend({
  duplicateManifest: optionalIdSchema,
  manifestProperties: z.unknown().optional(),
  version: z.string().max(100).default(defaults.version),
  generateType: z.enum(['Manifest', 'Database', 'DatabaseApi']).default('Manifest'),
  type: z.literal('EXCLUSIVE').default('EXCLUSIVE'),
})
export type ManifestWizardRequest = z.output<typeof manifestWizardRequest>

const manifestQuery = pageQuery().extend({ filter: z.enum(manifestFilters).default('ALL'), exclude: optionalIdSchema })

export const problemAnswer = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
  path: z.array(
    z.union([
      z.object({ kind: z.enum(['manifest', 'entity']), id: z.number().int(), name: z.string() }),
      z.object({ kind: z.enum(['typeAttribute', 'entityAttribute']), uid: z.string(), name: z.string() }),
    ]),
  ),
})

export const deleteManifest = defineCall({
  id: 'deleteManifest',
  method: 'DELETE',
  path: `${base}/manifest/{id}`,
  tag,
  access: 'user',
  summary: 'Deletes a manifest with the entities that only it owns.',
  params: idParams,
  answer: resultAnswer,
})

export const addEntitiesToManifest = defineCall({
  id: 'addEntitiesToManifest',
  method: 'POST',
  path: `${base}/manifest/{id}/entities`,
  tag,
  access: 'user',
  summary: 'Adds entities: EXCLUSIVE copies them, TEMPLATE (administrators) refers to them in place.',
  params: idParams,
  query: userIdQuery,
  body: z.object({ entityIds: z.array(idSchema).min(1).max(10_000), type: memberTypeSchema.default('EXCLUSIVE') }),
  answer: resultAnswer.extend({ entities: z.array(entityReferenceSchema) }),
})

export const removeEntityFromManifest = defineCall({
  id: 'removeEntityFromManifest',
  method: 'DELETE',
  path: `${base}/manifest/{id}/entity/{entityId}`,
  tag,
  access: 'user',
  summary: 'Removes an entity from a manifest; an exclusive one is deleted with it.',
  params: idParams.extend({ entityId: idSchema }),
  answer: resultAnswer,
})

export const removeSubManifest = defineCall({
  id: 'removeSubManifest',
  method: 'DELETE',
  path: `${base}/manifest/{id}/submanifest/{subId}`,
  tag,
  access: 'user',
  summary: 'Removes a sub-manifest from this parent; it lives on.',
  params: idParams.extend({ subId: idSchema }),
  answer: resultAnswer,
})

export const createManifest = defineCall({
  id: 'createManifest',
  method: 'POST',
  path: `${base}/manifest`,
  tag,
  access: 'user',
  concurrency: 'etag',
  summary: 'Creates a manifest.',
  query: userIdQuery,
  body: manifestRequest,
  answer: manifestEnvelope,
})

export const createManifestByWizard = defineCall({
  id: 'createManifestByWizard',
  method: 'POST',
  path: `${base}/manifest/wizard`,
  tag,
  access: 'user',
  concurrency: 'etag',
  summary: 'Creates a manifest from the wizard, empty or as a duplicate.',
  query: userIdQuery,
  body: manifestWizardRequest,
  answer: manifestEnvelope.extend({ generateType: z.enum(['Manifest', 'Database', 'DatabaseApi']) }),
})

export const addSubManifests = defineCall({
  id: 'addSubManifests',
  method: 'PUT',
  path: `${base}/manifest/{id}/subManifests`,
  tag,
  access: 'user',
  summary: 'Adds sub-manifests to those that are there.',
  params: idParams,
  body: z.object({ submanifests: z.array(idSchema).min(1).max(10_000) }),
  answer: resultAnswer,
})

export const listManifestParents = defineCall({
  id: 'listManifestParents',
  method: 'GET',
  path: `${base}/manifest/{id}/parents`,
  tag,
  access: 'user',
  summary: 'The manifests that refer to this one as a sub-manifest.',
  params: idParams,
  query: pageQuery(),
  answer: listAnswer('manifests', manifestListItem),
})

export const getManifest = defineCall({
  id: 'getManifest',
  method: 'GET',
  path: `${base}/manifest/{id}`,
  tag,
  access: 'user',
  concurrency: 'etag',
  summary: 'A manifest with its entities and sub-manifests.',
  params: idParams,
  query: z.object({ version: z.string().max(100).optional() }),
  answer: manifestEnvelope,
})

export const listManifests = defineCall({
  id: 'listManifests',
  method: 'GET',
  path: `${base}/manifest`,
  tag,
  access: 'user',
  summary: 'Manifests.',
  query: manifestQuery,
  answer: listAnswer('manifests', manifestListItem),
})

export const listOrganisationManifests = defineCall({
  id: 'listOrganisationManifests',
  method: 'GET',
  path: '/api/manifests.json',
  tag,
  access: 'user',
  summary: "The organisation's manifests and the predefined ones.",
  query: manifestQuery,
  answer: listAnswer('manifests', manifestListItem),
})

export const listManifestFolders = defineCall({
  id: 'listManifestFolders',
  method: 'GET',
  path: `${base}/manifest/folders`,
  tag,
  access: 'user',
  summary: 'Folders that hold manifests.',
  query: pageQuery(limits.folderLimit),
  answer: listAnswer('folders', z.object({ name: z.string(), path: z.string() })),
})

export const listFolderManifests = defineCall({
  id: 'listFolderManifests',
  method: 'GET',
  path: `${base}/manifest/folders/{folder}`,
  tag,
  access: 'user',
  summary: 'Manifests of one folder (its path, URL-encoded).',
  params: z.object({ folder: z.string().max(2000) }),
  query: pageQuery(),
  answer: listAnswer('manifests', manifestListItem),
})

export const listManifestEntities = defineCall({
  id: 'listManifestEntities',
  method: 'GET',
  path: `${base}/manifest/{id}/entities`,
  tag,
  access: 'user',
  summary: "The manifest's entities in their order.",
  params: idParams,
  query: pageQuery().extend({ excludeEntityId: optionalIdSchema }),
  answer: listAnswer('entity', entityListItem),
})

export const listSubManifests = defineCall({
  id: 'listSubManifests',
  method: 'GET',
  path: `${base}/manifest/{id}/subManifests`,
  tag,
  access: 'user',
  summary: "The manifest's sub-manifests in their order.",
  params: idParams,
  query: pageQuery(),
  answer: listAnswer('manifests', manifestListItem),
})

export const validateManifest = defineCall({
  id: 'validateManifest',
  method: 'POST',
  path: `${base}/manifest/{id}/validate`,
  tag,
  access: 'user',
  summary:
    "Collects all problems of a manifest with its sub-manifests; an error is answered with 400 and the first error's message.",
  params: idParams,
  answer: resultAnswer.extend({ problems: z.array(problemAnswer) }),
})

export const exportManifest = defineCall({
  id: 'exportManifest',
  method: 'POST',
  path: `${base}/manifest/{id}/export`,
  tag,
  access: 'user',
  summary: 'A zip with the manifest as a database schema.',
  params: idParams,
  body: z.object({
    databaseType: databaseTypeSchema.default('postgresql'),
    exportType: z.enum(exportTypes).default('DB_STRUCTURE'),
    applyAutoIncrement: flag.default(true),
    version: z.string().max(100).optional(),
  }),
  answer: 'binary',
})

export const importManifest = defineCall({
  id: 'importManifest',
  method: 'POST',
  path: `${base}/manifest/import`,
  tag,
  access: 'user',
  summary:
    'Imports a manifest from a .zip file. The form carries importAs and manifestFile; `key` names the import for its progress.',
  query: userIdQuery.extend({ key: z.uuid().optional() }),
  body: multipartBody,
  files: [{ kind: 'file', part: 'manifestFile', extensions: ['.zip'] }],
  answer: resultAnswer.extend({
    manifest: manifestAnswer,
    counts: z.object({
      files: z.number().int(),
      entities: z.number().int(),
      manifests: z.number().int(),
      relationships: z.number().int(),
    }),
    report: z.array(importReportLine),
  }),
})

const keyParams = z.object({ key: z.uuid() })
export const getImportProgress = defineCall({
  id: 'getImportProgress',
  method: 'GET',
  path: `${base}/manifest/import/{key}`,
  tag,
  access: 'user',
  summary: 'How far an import is.',
  params: keyParams,
  answer: progressAnswer,
})
export const cancelImport = defineCall({
  id: 'cancelImport',
  method: 'DELETE',
  path: `${base}/manifest/import/{key}`,
  tag,
  access: 'user',
  summary: 'Stops an import; nothing of it stays.',
  params: keyParams,
  answer: resultAnswer,
})

export const getManifestConfiguration = defineCall({
  id: 'getManifestConfiguration',
  method: 'GET',
  path: `${base}/manifest/{id}/configuration`,
  tag,
  access: 'user',
  concurrency: 'etag',
  summary: 'The configuration of a manifest, without secrets.',
  params: idParams,
  answer: z.object({ manifestProperties: z.unknown() }),
})

export const saveManifestConfiguration = defineCall({
  id: 'saveManifestConfiguration',
  method: 'POST',
  path: `${base}/manifest/{id}/configuration`,
  tag,
  access: 'user',
  concurrency: 'if-match',
  summary: 'Saves the configuration of a manifest.',
  params: idParams,
  query: userIdQuery,
  body: z.unknown(),
  answer: resultAnswer,
})

export const addManifestVersion = defineCall({
  id: 'addManifestVersion',
  method: 'POST',
  path: `${base}/manifest/{id}/version`,
  tag,
  access: 'user',
  summary: 'Freezes the present state under its number and makes the new one the latest.',
  params: idParams,
  query: versionQuery,
  answer: resultAnswer,
})

export const getManifestVersionContent = defineCall({
  id: 'getManifestVersionContent',
  method: 'GET',
  path: `${base}/manifest/version/content/{id}`,
  tag,
  access: 'user',
  summary: 'The stored content of a version.',
  params: idParams,
  query: versionQuery,
  answer: z.object({ manifest: z.object({ CONTENT: z.string() }) }),
})

export const listManifestVersions = defineCall({
  id: 'listManifestVersions',
  method: 'GET',
  path: `${base}/manifest/{id}/version`,
  tag,
  access: 'user',
  summary: 'The versions of a manifest, highest first.',
  params: idParams,
  answer: z.object({ manifestVersions: z.array(z.object({ VERSION: z.string(), CONTENT: z.string() })) }),
})

export const deleteManifestVersion = defineCall({
  id: 'deleteManifestVersion',
  method: 'DELETE',
  path: `${base}/manifest/{id}/version`,
  tag,
  access: 'user',
  summary: 'Deletes a version that is not the latest.',
  params: idParams,
  query: versionQuery,
  answer: resultAnswer,
})

export const listManifestLogs = defineCall({
  id: 'listManifestLogs',
  method: 'GET',
  path: `${base}/manifest/logs`,
  tag,
  access: 'user',
  summary: 'Audit entries of manifests.',
  query: logQuery,
  answer: z.object({ manifestLogs: z.array(auditEntryAnswer), totalElements: z.number().int() }),
})

export const manifestCalls = {
  listManifestFolders,
  listFolderManifests,
  listManifestLogs,
  getManifestVersionContent,
  importManifest,
  getImportProgress,
  cancelImport,
  createManifestByWizard,
  getManifest,
  deleteManifest,
  addEntitiesToManifest,
  removeEntityFromManifest,
  removeSubManifest,
  createManifest,
  addSubManifests,
  listManifestParents,
  listManifests,
  listOrganisationManifests,
  listManifestEntities,
  listSubManifests,
  validateManifest,
  exportManifest,
  getManifestConfiguration,
  saveManifestConfiguration,
  addManifestVersion,
  listManifestVersions,
  deleteManifestVersion,
}
