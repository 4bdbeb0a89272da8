import { randomUUID } from 'node:crypto'
import type { HandlerInput } from '@cadmus/model/contract/call'
import {
  cancelImport,
  downloadImportReport,
  exportManifest,
  getImportProgress,
  importManifest,
  notesHeader,
  previewExport,
  validateManifest,
} from '@cadmus/model/contract/manifest-transfer'
import { isOfDatabase } from '@cadmus/model/export-formats'
import { parseLicence } from '@cadmus/model/licence'
import { mayExportManifest } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { check, stateOf } from '../commands/manifest/manifest-permission.ts'
import { notFound } from '../errors/api-error.ts'
import { encodingOf, ReadyJson } from '../http/ready-json.ts'
import { handle, type RequestContext, type Route } from '../http/route.ts'
import type { Exported, Tasks } from '../jobs/tasks.ts'
import { reportPages } from '../store/import-run.ts'
import { jobAt } from '../store/job.ts'
import { reportFile } from './import-report.ts'
import { importIntoNew, uploadOf } from './imported-manifest.ts'
import { licensedType, refuseErrors, requireManifest, requireVersion } from './manifest-answer.ts'

export const manifestTransferRoutes: Route[] = [
  handle(importManifest, async ({ query }, request) => {
    request.context.jobs.admit(request.organisation.id)
    const upload = await uploadOf(request, query)
    return importIntoNew(request, query.key ?? randomUUID(), { ...upload, leftOut: [] })
  }),
  handle(getImportProgress, async ({ params }, { context, organisation }) => {
    const progress = await context.jobs.progress({ organisationId: organisation.id, kind: 'import', key: params.key })
    if (progress === undefined) throw notFound('The import')
    return progress
  }),
  handle(cancelImport, async ({ params }, { context, organisation }) => {
    const place = { organisationId: organisation.id, kind: 'import' as const, key: params.key }
    if (!(await context.jobs.cancel(place))) throw notFound('The import')
    return { result: 'OK' as const, message: messages.importCancelled }
  }),
  handle(downloadImportReport, async ({ params, query }, request) => {
    const { context, organisation } = request
    const { store } = context
    const job = await jobAt(store.shared, { organisationId: organisation.id, kind: 'import', key: params.key })
    if (job?.state !== 'done') throw notFound('The report')
    const pages = reportPages(store.of(organisation.id), organisation.id, job.id)
    const { content, type, ending } = reportFile(query.format, pages, request.signal)
    return request.sendBinary(content, `import-report.${ending}`, `${type}; charset=utf-8`)
  }),
  handle(exportManifest, async ({ params, body }, request) => {
    const { content, fileName, notes } = await exported(params.id, body, request, 'zip')
    request.setHeader(notesHeader, String(notes))
    return request.sendBinary(content, fileName, 'application/zip')
  }),
  handle(previewExport, async ({ params, body }, request) => {
    const { content, notes } = await exported(params.id, body, request, 'preview')
    return { result: 'OK' as const, message: '', script: new TextDecoder().decode(content), notes }
  }),
  handle(validateManifest, async ({ params, query }, request) => {
    const { context, organisation, signal } = request
    const manifest = await requireManifest(request, params.id)
    const { exportType: target } = query
    const databaseTypes = isOfDatabase(target) ? parseLicence(organisation.limits).databaseTypes : []
    const encoding = encodingOf(request.header('accept-encoding'), ['gzip'])
    const input = { organisationId: organisation.id, manifestId: manifest.id, target, databaseTypes, encoding }
    return new ReadyJson(await context.workers.check('validate', input, signal), encoding)
  }),
]

/** The manifest in the requested version and format; throws if manifest, licence or a problem forbids the export. */
async function exported(
  id: number,
  { exportType, version, ...options }: HandlerInput<typeof exportManifest>['body'],
  request: RequestContext,
  mode: Tasks['exportManifest']['input']['mode'],
): Promise<Exported> {
  const { context, organisation, signal } = request
  const manifest = await requireManifest(request, id)
  const frozen = await requireVersion(request, manifest, version)
  check(mayExportManifest(stateOf(manifest)))
  const place = { organisationId: organisation.id, manifestId: manifest.id, version: frozen?.version ?? null }
  // Other formats ignore it.
  const databaseType = isOfDatabase(exportType) ? licensedType(organisation.limits, options.databaseType) : 'postgresql'
  const input = { ...place, exportType, options: { ...options, databaseType }, mode }
  const result = await context.workers.run('exportManifest', input, signal)
  if (!('problems' in result)) return result
  refuseErrors(result.problems)
  throw new Error('An export returned neither a result nor an error.')
}
