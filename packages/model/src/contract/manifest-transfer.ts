import * as z from 'zod'
import {
  exportFormats,
  exportOptions,
  exportTargets,
  exportTypes,
  type ExportFormat,
  type ExportOptionName,
} from '../export-formats.ts'
import { sqlExportSchema } from '../configuration.ts'
import { requestOf } from '../request-schema.ts'
import type { SqlExport } from '../sql-export.ts'
import { importKinds } from '../import-formats.ts'
import {
  databaseTypeSchema,
  idParams,
  importReportLine,
  multipartBody,
  problemAnswer,
  progressAnswer,
  resultAnswer,
  userIdQuery,
} from './shared.ts'
import { manifestCall } from './lists.ts'
import { manifestAnswer } from './manifest-shapes.ts'
import { base } from './routes.ts'

/** Number of notes at the end of the script or preview. */
export const notesHeader = 'X-Cadmus-Notes'

export const validateManifest = manifestCall({
  id: 'validateManifest',
  method: 'POST',
  path: `${base}/manifest/{id}/validate`,
  reads: true,
  summary:
    "Collects all problems of a manifest and its sub-manifests, and what an export for each licensed database would change or leave out. `exportType` limits them to those relevant to that export. `message`: the first error's text, empty if the manifest can be exported.",
  params: idParams,
  query: z.object({ exportType: z.enum(exportTargets).optional() }),
  answer: resultAnswer.extend({ problems: z.array(problemAnswer) }),
})

/** The row of a format in the documentation of the API. */
function describeFormat({ wireName, label, contains, options }: ExportFormat): string {
  const taken = options.length === 0 ? '' : ` Options: ${options.map(name => `\`${name}\``).join(', ')}.`
  return `- \`${wireName}\`: ${label}. ${contains}${taken}`
}

const exportRequestOptions = {
  databaseType: databaseTypeSchema.optional().describe('Absent: the first of the licence.'),
  applyAutoIncrement: z.boolean().default(exportOptions.applyAutoIncrement.default),
  sqlExport: requestOf(sqlExportSchema)
    .pipe(z.custom<Partial<SqlExport>>())
    .default({})
    .describe("Options of SQL scripts. Absent ones are those of the manifest's configuration."),
} satisfies Record<ExportOptionName, z.ZodType>

const exportRequest = z.strictObject({
  exportType: z
    .enum(exportTypes)
    .default(exportFormats[0].wireName)
    .describe(exportFormats.map(describeFormat).join('\n')),
  /** An option that the format does not have is ignored. */
  ...exportRequestOptions,
  version: z.string().max(100).optional(),
})

export const exportManifest = manifestCall({
  id: 'exportManifest',
  method: 'POST',
  path: `${base}/manifest/{id}/export`,
  reads: true,
  summary:
    'Exports the manifest as a zip in the format `exportType`; 400 with all problems if one of them is an error.',
  params: idParams,
  body: exportRequest,
  answer: 'binary',
  mediaTypes: ['application/zip'],
  answerHeaders: {
    [notesHeader]:
      'Number of adaptations and omissions of the export; the script and the preview end with a line for each.',
  },
})

export const previewExport = manifestCall({
  id: 'previewExport',
  method: 'POST',
  path: `${base}/manifest/{id}/export/preview`,
  reads: true,
  summary:
    "The content of an export's zip as text, with the number of notes at its end; only the notes for a CDM folder. Fails in the same cases as the export.",
  params: idParams,
  body: exportRequest,
  answer: resultAnswer.extend({ script: z.string(), notes: z.number().int() }),
})

export const importAnswer = resultAnswer.extend({
  manifest: manifestAnswer,
  counts: z.object({
    files: z.number().int(),
    entities: z.number().int(),
    manifests: z.number().int(),
    relationships: z.number().int(),
  }),
  /** The first lines; `downloadImportReport` returns all of them. */
  report: z.array(importReportLine),
  reportLines: z.number().int(),
  /** Key for progress and report of the import. */
  key: z.string(),
})

export const importManifest = manifestCall({
  id: 'importManifest',
  method: 'POST',
  path: `${base}/manifest/import`,
  summary:
    'Imports a manifest from a .zip file with a CDM folder, a data model or SQL scripts, or from one SQL script. The form carries importAs and manifestFile; `key` identifies the import for its progress. `rootManifest`: path of the root manifest, for a CDM folder with several. Without it the newest is imported if they are versions of one manifest and `askForRoot` is not true; otherwise 400 `several_roots` with `roots`.',
  query: userIdQuery.extend({
    key: z.uuid().optional(),
    rootManifest: z.string().max(1000).optional(),
    askForRoot: z.enum(['true', 'false']).default('false'),
    databaseType: databaseTypeSchema.optional().describe('Whose SQL the scripts are. Absent: detected.'),
  }),
  body: multipartBody,
  files: [
    {
      kind: 'file',
      part: 'manifestFile',
      extensions: [...new Set(importKinds.flatMap(({ extensions }): readonly string[] => extensions))],
    },
  ],
  answer: importAnswer,
})

const keyParams = z.object({ key: z.uuid() })

export const getImportProgress = manifestCall({
  id: 'getImportProgress',
  method: 'GET',
  path: `${base}/manifest/import/{key}`,
  summary: 'Progress of an import.',
  params: keyParams,
  answer: progressAnswer,
})

export const downloadImportReport = manifestCall({
  id: 'downloadImportReport',
  method: 'GET',
  path: `${base}/manifest/import/{key}/report`,
  summary:
    'The full report of a finished import: everything it did not recognise or left out, with all places. `json`: an array of the lines of the report, in which equal findings are one line with `count`, `text` and `places`. Available for a day.',
  params: keyParams,
  query: userIdQuery.extend({ format: z.enum(['csv', 'text', 'json']).default('csv') }),
  answer: 'binary',
  mediaTypes: ['text/csv', 'text/plain', 'application/json'],
})

export const cancelImport = manifestCall({
  id: 'cancelImport',
  method: 'DELETE',
  path: `${base}/manifest/import/{key}`,
  summary: 'Cancels an import and discards its results.',
  params: keyParams,
  answer: resultAnswer,
})
