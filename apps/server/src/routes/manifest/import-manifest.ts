import { importManifest } from '@cadmus/model/contract/manifest-transfer'
import { importKinds, type ImportKind } from '@cadmus/model/formats'
import { messages } from '@cadmus/model/messages'
import { randomUUID } from 'node:crypto'
import { changeOf } from '../../commands/change.ts'
import { importManifest as run } from '../../commands/manifest/import-manifest.ts'
import { invalid } from '../../errors/api-error.ts'
import { ReadyJson } from '../../http/ready-json.ts'
import { handle } from '../../http/route.ts'
import { answerManifest } from './answer.ts'
import { requireManifest } from './require-manifest.ts'

export const importManifestRoute = handle(importManifest, async ({ query }, request) => {
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
      licence: organisation.limits,
      job,
    })
    const row = await requireManifest(request, imported.rootId)
    const answer = await answerManifest(request, row)
    const message = messages.manifestImported(row.name)
    job.report({ state: 'done', done: imported.counts.entities, total: imported.counts.entities, message })
    const { counts, report, reportLines } = imported
    const rest = { result: 'OK' as const, message, counts, report, reportLines, key }
    return answer instanceof ReadyJson ? answer.with(rest) : { ...answer, ...rest }
  })
})

function kindOf(text: string): ImportKind {
  const kind = importKinds.find(({ wireName }) => wireName === text.trim().toUpperCase())
  if (kind !== undefined) return kind.wireName
  const message = `A manifest is imported as ${importKinds.map(({ wireName }) => wireName).join(' or ')}.`
  throw invalid(message, [{ path: 'importAs', message }])
}
