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
import { type ImportKind, importKinds } from '@cadmus/model/import-formats'
import { parseLicence } from '@cadmus/model/licence'
import { mayExportManifest } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../commands/change.ts'
import { importManifest as run } from '../commands/manifest/import-manifest.ts'
import { check, stateOf } from '../commands/manifest/manifest-permission.ts'
import { invalid, notFound } from '../errors/api-error.ts'
import { encodingOf, ReadyJson } from '../http/ready-json.ts'
import { handle, type RequestContext, type Route } from '../http/route.ts'
import type { Exported, Tasks } from '../jobs/tasks.ts'
import { reportPages } from '../store/import-run.ts'
import { jobAt } from '../store/job.ts'
import { reportFile } from './import-report.ts'
import {
  answerChangedManifest,
  licensedType,
  refuseErrors,
  requireManifest,
  requireVersion,
} from './manifest-answer.ts'

export const manifestTransferRoutes: Route[] = [
  handle(importManifest, async ({ query }, request) => {
    const { context, organisation } = request
    context.jobs.admit(organisation.id)
    const { files, fields } = await request.files()
    const kind = kindOf(fields.get('importAs') ?? importKinds[0].wireName)
    const { bytes = new Uint8Array(), fileName = '' } = files.get('manifestFile') ?? {}
    const key = query.key ?? randomUUID()
    const jobPlace = { organisationId: organisation.id, kind: 'import' as const, key, userId: request.who.userId }
    const failed = messages.failed.importManifest
    return context.jobs.run({ ...jobPlace, failed, callerSignal: request.signal }, async job => {
      const imported = await run(changeOf(request), context.workers, {
        kind,
        bytes,
        fileName,
        root: query.rootManifest,
        asksForRoot: query.askForRoot === 'true',
        database: query.databaseType,
        licence: organisation.limits,
        job,
      })
      const row = await requireManifest(request, imported.rootId)
      const answer = await answerChangedManifest(request, row)
      const message = messages.manifestImported(row.name)
      job.report({ state: 'done', done: imported.counts.entities, total: imported.counts.entities, message })
      const { counts, report, reportLines } = imported
      const rest = { result: 'OK' as const, message, counts, report, reportLines, key }
      return answer instanceof ReadyJson ? answer.with(rest) : { ...answer, ...rest }
    })
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

function kindOf(text: string): ImportKind {
  const kind = importKinds.find(({ wireName }) => wireName === text.trim().toUpperCase())
  if (kind !== undefined) return kind.wireName
  const message = `A manifest is imported as ${importKinds.map(({ wireName }) => wireName).join(' or ')}.`
  throw invalid(message, [{ path: 'importAs', message }])
}

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
