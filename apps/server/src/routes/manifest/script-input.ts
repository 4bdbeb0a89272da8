import type { DatabaseType } from '@cadmus/model/database-types'
import { parseLicence } from '@cadmus/model/licence'
import { mayExportManifest } from '@cadmus/model/locks'
import { licensedDatabase } from '@cadmus/model/rules/licensed'
import { check, stateOf } from '../../commands/manifest/manifest-permission.ts'
import { forbidden } from '../../errors/api-error.ts'
import type { RequestContext } from '../../http/route.ts'
import type { ModelPlace, ScriptInput } from '../../jobs/tasks.ts'
import { requireManifest, requireVersion } from './require-manifest.ts'

type ScriptRequest = {
  databaseType?: DatabaseType | undefined
  applyAutoIncrement: boolean
  version?: string | undefined
}

/** Returns a worker's input for a script; throws if the manifest or licence does not allow it. */
export async function scriptInput(
  id: number,
  scriptRequest: ScriptRequest,
  request: RequestContext,
): Promise<ScriptInput> {
  const place = await exportPlace(id, scriptRequest, request)
  const databaseType = licensedType(request.organisation.limits, scriptRequest.databaseType)
  return { ...place, databaseType, applyAutoIncrement: scriptRequest.applyAutoIncrement }
}

/** Returns the export's source in the requested version; throws if the manifest must not be exported. */
export async function exportPlace(
  id: number,
  { version }: Pick<ScriptRequest, 'version'>,
  request: RequestContext,
): Promise<ModelPlace> {
  const manifest = await requireManifest(request, id)
  const frozen = await requireVersion(request, manifest, version)
  check(mayExportManifest(stateOf(manifest)))
  return { organisationId: request.organisation.id, manifestId: manifest.id, version: frozen?.version ?? null }
}

function licensedType(licence: string, requested: DatabaseType | undefined): DatabaseType {
  const licensed = licensedDatabase(requested, parseLicence(licence))
  if ('refusal' in licensed) throw forbidden(licensed.refusal, 'licence')
  return licensed.type
}
