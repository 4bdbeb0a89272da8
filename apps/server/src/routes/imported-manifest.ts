import type { HandlerInput } from '@cadmus/model/contract/call'
import type { importManifest } from '@cadmus/model/contract/manifest-transfer'
import { type ImportKind, importKinds } from '@cadmus/model/import-formats'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../commands/change.ts'
import { importManifest as run } from '../commands/manifest/import-manifest.ts'
import type { ImportInput } from '../commands/manifest/import-messages.ts'
import { invalid } from '../errors/api-error.ts'
import { ReadyJson } from '../http/ready-json.ts'
import type { RequestContext } from '../http/route.ts'
import { answerChangedManifest, requireManifest } from './manifest-answer.ts'

type Upload = Omit<ImportInput, 'port' | 'leftOut'>

/** The uploaded file with the choices of the call. */
export async function uploadOf(
  request: RequestContext,
  query: HandlerInput<typeof importManifest>['query'],
): Promise<Upload> {
  const { files, fields } = await request.files()
  const kind = kindOf(fields.get('importAs') ?? importKinds[0].wireName)
  const { bytes = new Uint8Array(), fileName = '' } = files.get('manifestFile') ?? {}
  const { rootManifest: root, askForRoot, databaseType: database } = query
  return { kind, bytes, fileName, root, asksForRoot: askForRoot === 'true', database }
}

/** Imports a file into a new manifest, as a job, and answers it. `onStored`: after everything is visible. */
export async function importIntoNew(
  request: RequestContext,
  key: string,
  upload: Omit<ImportInput, 'port'>,
  onStored: () => Promise<void> = async () => undefined,
) {
  const { context, organisation } = request
  const jobPlace = { organisationId: organisation.id, kind: 'import' as const, key, userId: request.who.userId }
  const failed = messages.failed.importManifest
  return context.jobs.run({ ...jobPlace, failed, callerSignal: request.signal }, async job => {
    const imported = await run(changeOf(request), context.workers, { ...upload, licence: organisation.limits, job })
    await onStored()
    const row = await requireManifest(request, imported.rootId)
    const answer = await answerChangedManifest(request, row)
    const message = messages.manifestImported(row.name)
    job.report({ state: 'done', done: imported.counts.entities, total: imported.counts.entities, message })
    const { counts, report, reportLines } = imported
    const rest = { result: 'OK' as const, message, counts, report, reportLines, key }
    return answer instanceof ReadyJson ? answer.with(rest) : { ...answer, ...rest }
  })
}

function kindOf(text: string): ImportKind {
  const kind = importKinds.find(({ wireName }) => wireName === text.trim().toUpperCase())
  if (kind !== undefined) return kind.wireName
  const message = `A manifest is imported as ${importKinds.map(({ wireName }) => wireName).join(' or ')}.`
  throw invalid(message, [{ path: 'importAs', message }])
}
