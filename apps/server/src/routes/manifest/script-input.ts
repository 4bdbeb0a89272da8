import type { DatabaseType } from '@cadmus/model/database-types'
import { parseLicence } from '@cadmus/model/licence'
import { mayExportManifest } from '@cadmus/model/locks'
import { licensedDatabase } from '@cadmus/model/rules/licensed'
import { check, stateOf } from '../../commands/manifest/may.ts'
import { forbidden } from '../../errors/api-error.ts'
import type { RequestContext } from '../../http/route.ts'
import type { ModelPlace, ScriptInput } from '../../jobs/tasks.ts'
import { foundManifest, foundVersion } from './found.ts'

type Asked = { databaseType?: DatabaseType | undefined; applyAutoIncrement: boolean; version?: string | undefined }

/** Returns a worker's input for a script; throws if the manifest or licence does not allow it. */
export async function scriptInput(id: number, asked: Asked, request: RequestContext): Promise<ScriptInput> {
  const place = await exportPlace(id, asked, request)
  const databaseType = licensedType(request.organisation.limits, asked.databaseType)
  return { ...place, databaseType, applyAutoIncrement: asked.applyAutoIncrement }
}

/** Returns the export's source in the requested version; throws if the manifest must not be exported. */
export async function exportPlace(
  id: number,
  { version }: Pick<Asked, 'version'>,
  request: RequestContext,
): Promise<ModelPlace> {
  const manifest = await foundManifest(request, id)
  const frozen = await foundVersion(request, manifest, version)
  check(mayExportManifest(stateOf(manifest)))
  return { organisationId: request.organisation.id, manifestId: manifest.id, version: frozen?.version ?? null }
}

function licensedType(licence: string, wanted: DatabaseType | undefined): DatabaseType {
  const judged = licensedDatabase(wanted, parseLicence(licence))
  if ('refusal' in judged) throw forbidden(judged.refusal, 'licence')
  return judged.type
}
