import * as z from 'zod'
import { databaseTypeOf } from '../database-types.ts'
import { exportTargets, exportTypes } from '../export-target.ts'
import { defineCall } from './call.ts'
import { importReportLine, progressAnswer } from './import-shapes.ts'
import { manifestTag } from './lists.ts'
import { manifestAnswer } from './manifest-shapes.ts'
import { problemAnswer } from './problem.ts'
import { base } from './routes.ts'
import { idParams, multipartBody, resultAnswer, userIdQuery } from './shared.ts'

export const importKinds = ['CDM_SCHEMA', 'DATABASE_STRUCTURE'] as const
export type ImportKind = (typeof importKinds)[number]

/** How many notes an export has: they stand at the end of the script, or of the preview. */
export const notesHeader = 'X-Cadmus-Notes'

export const validateManifest = defineCall({
  id: 'validateManifest',
  method: 'POST',
  path: `${base}/manifest/{id}/validate`,
  tag: manifestTag,
  access: 'user',
  reads: true,
  summary:
    "Collects all problems of a manifest with its sub-manifests, and what an export for each licensed database would change or leave out. With an `exportType` it collects those that matter to such an export, and nothing of databases where that is of none. `message` is the first error's, empty where there is none: then it may be exported.",
  params: idParams,
  query: z.object({ exportType: z.enum(exportTargets).optional() }),
  answer: resultAnswer.extend({ problems: z.array(problemAnswer) }),
})

/** Reads every spelling, yields the code. */
export const databaseTypeSchema = z.string().transform((spelling, context) => {
  const type = databaseTypeOf(spelling)
  if (type) return type
  context.addIssue({ code: 'custom', message: `"${spelling.slice(0, 60)}" is not a known database type.` })
  return z.NEVER
})

const exportRequest = z.strictObject({
  /** Absent: the first of the licence. A folder is the same for all. */
  databaseType: databaseTypeSchema.optional(),
  exportType: z.enum(exportTypes).default('DB_STRUCTURE'),
  applyAutoIncrement: z.boolean().default(true),
  version: z.string().max(100).optional(),
})

export const exportManifest = defineCall({
  id: 'exportManifest',
  method: 'POST',
  path: `${base}/manifest/{id}/export`,
  tag: manifestTag,
  access: 'user',
  reads: true,
  summary:
    'A zip with the manifest as a database schema, as a CDM folder or as a data model; 400 with all problems where one of them is an error.',
  params: idParams,
  body: exportRequest,
  answer: 'binary',
  mediaTypes: ['application/zip'],
  answerHeaders: {
    [notesHeader]:
      'How many things the export changes or leaves out; the script and the preview end with a line for each.',
  },
})

export const previewExport = defineCall({
  id: 'previewExport',
  method: 'POST',
  path: `${base}/manifest/{id}/export/preview`,
  tag: manifestTag,
  access: 'user',
  reads: true,
  summary:
    "What an export's zip would hold, as text, with how many notes it ends with; of a CDM folder these alone. Refused as the export is.",
  params: idParams,
  body: exportRequest,
  answer: resultAnswer.extend({ script: z.string(), notes: z.number().int() }),
})

export const importManifest = defineCall({
  id: 'importManifest',
  method: 'POST',
  path: `${base}/manifest/import`,
  tag: manifestTag,
  access: 'user',
  summary:
    'Imports a manifest from a .zip file of a CDM folder (or of a data model), or of SQL scripts. The form carries importAs and manifestFile; `key` names the import for its progress. Of a CDM folder with several root manifests `rootManifest` chooses one, by its path. Without it the newest is read where they are versions of one manifest and `askForRoot` is not true; else 400 `several_roots`, and `roots` lists them.',
  query: userIdQuery.extend({
    key: z.uuid().optional(),
    rootManifest: z.string().max(1000).optional(),
    askForRoot: z.enum(['true', 'false']).default('false'),
  }),
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
    /** The first lines; `downloadImportReport` has all of them. */
    report: z.array(importReportLine),
    reportLines: z.number().int(),
    /** What the import's progress and report are asked by. */
    key: z.string(),
  }),
})

const keyParams = z.object({ key: z.uuid() })

export const getImportProgress = defineCall({
  id: 'getImportProgress',
  method: 'GET',
  path: `${base}/manifest/import/{key}`,
  tag: manifestTag,
  access: 'user',
  summary: 'How far an import is.',
  params: keyParams,
  answer: progressAnswer,
})

export const downloadImportReport = defineCall({
  id: 'downloadImportReport',
  method: 'GET',
  path: `${base}/manifest/import/{key}/report`,
  tag: manifestTag,
  access: 'user',
  summary: 'Every line of what a finished import did not understand or had to leave out, for a day.',
  params: keyParams,
  query: userIdQuery.extend({ format: z.enum(['csv', 'text']).default('csv') }),
  answer: 'binary',
  mediaTypes: ['text/csv', 'text/plain'],
})

export const cancelImport = defineCall({
  id: 'cancelImport',
  method: 'DELETE',
  path: `${base}/manifest/import/{key}`,
  tag: manifestTag,
  access: 'user',
  summary: 'Stops an import; nothing of it stays.',
  params: keyParams,
  answer: resultAnswer,
})

export const manifestTransferCalls = {
  validateManifest,
  exportManifest,
  previewExport,
  importManifest,
  getImportProgress,
  downloadImportReport,
  cancelImport,
}
