import { importKinds, importManifest } from '@cadmus/model/contract/manifest-transfer'
import { messages } from '@cadmus/model/messages'
import { randomUUID } from 'node:crypto'
import { changeOf } from '../../commands/change.ts'
import { importManifest as run } from '../../commands/manifest/import-manifest.ts'
import { ApiError, conflict, invalid } from '../../errors/api-error.ts'
import { handle } from '../../http/route.ts'
import { manifestAnswerOf } from './answer.ts'
import { foundManifest } from './found.ts'

export const importManifestRoute = handle(importManifest, async ({ query }, request) => {
  const { context, organisation } = request
  const { files, fields } = await request.files()
  checkKind(fields.get('importAs') ?? importKinds[0])
  const bytes = files.get('manifestFile')?.bytes ?? new Uint8Array()
  const progress = context.imports.begin(organisation.id, query.key ?? randomUUID())
  if (progress === undefined) throw conflict('An import with this key is running already.')
  const signal = AbortSignal.any([progress.signal, request.signal])
  const { report } = progress
  try {
    const imported = await run(changeOf(request), context.workers, {
      bytes,
      licence: organisation.limits,
      signal,
      report,
    })
    const { manifest } = await manifestAnswerOf(request, await foundManifest(request, imported.rootId))
    const message = messages.manifestImported(manifest.name)
    report({ state: 'done', done: imported.counts.entities, total: imported.counts.entities, message })
    return { result: 'OK' as const, message, manifest, counts: imported.counts, report: imported.report }
  } catch (error) {
    // Only what may leave the server: an unexpected error's own words stay in the log.
    const message = error instanceof ApiError ? error.message : messages.failed.importManifest
    report({ state: signal.aborted ? 'cancelled' : 'failed', done: 0, total: 0, message })
    throw error
  }
})

function checkKind(given: string): void {
  if (importKinds.some(kind => kind === given.trim().toUpperCase())) return
  const message = `A manifest is imported as ${importKinds.join(' or ')}.`
  throw invalid(message, [{ path: 'importAs', message }])
}
