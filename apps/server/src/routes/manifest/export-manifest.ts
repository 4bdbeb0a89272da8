import type { HandlerInput } from '@cadmus/model/contract/call'
import { exportManifest, notesHeader, previewExport } from '@cadmus/model/contract/manifest-transfer'
import type { DatabaseType } from '@cadmus/model/database-types'
import { isOfDatabase } from '@cadmus/model/formats'
import { parseLicence } from '@cadmus/model/licence'
import { mayExportManifest } from '@cadmus/model/locks'
import { licensedDatabase } from '@cadmus/model/rules/organisation'
import { check, stateOf } from '../../commands/manifest/manifest-permission.ts'
import { forbidden } from '../../errors/api-error.ts'
import { handle, type RequestContext } from '../../http/route.ts'
import type { Exported, Tasks } from '../../jobs/tasks.ts'
import { refuseErrors } from './problems.ts'
import { requireManifest, requireVersion } from './require-manifest.ts'

export const exportManifestRoute = handle(exportManifest, async ({ params, body }, request) => {
  const { content, fileName, notes } = await exported(params.id, body, request, 'zip')
  request.setHeader(notesHeader, String(notes))
  return request.sendBinary(content, fileName, 'application/zip')
})

export const previewExportRoute = handle(previewExport, async ({ params, body }, request) => {
  const { content, notes } = await exported(params.id, body, request, 'preview')
  return { result: 'OK' as const, message: '', script: new TextDecoder().decode(content), notes }
})

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

function licensedType(licence: string, requested: DatabaseType | undefined): DatabaseType {
  const licensed = licensedDatabase(requested, parseLicence(licence))
  if ('refusal' in licensed) throw forbidden(licensed.refusal, 'licence')
  return licensed.type
}
