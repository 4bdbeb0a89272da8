import { type DatabaseType, databaseTypeTable } from '@cadmus/model/database-types'
import { parseLicence } from '@cadmus/model/licence'
import { mayExportManifest } from '@cadmus/model/locks'
import { check, stateOf } from '../../commands/manifest/may.ts'
import { forbidden } from '../../errors/api-error.ts'
import type { RequestContext } from '../../http/route.ts'
import type { ScriptInput } from '../../jobs/tasks.ts'
import { foundManifest, foundVersion } from './found.ts'

type Asked = { databaseType?: DatabaseType | undefined; applyAutoIncrement: boolean; version?: string | undefined }

/** What a worker needs for the script that was asked for; refused where manifest or licence do not allow it. */
export async function scriptInput(id: number, asked: Asked, request: RequestContext): Promise<ScriptInput> {
  const { organisation } = request
  const manifest = await foundManifest(request, id)
  const frozen = await foundVersion(request, manifest, asked.version)
  check(mayExportManifest(stateOf(manifest)))
  const databaseType = licensedType(organisation.limits, asked.databaseType)
  const place = { organisationId: organisation.id, manifestId: manifest.id, version: frozen?.version ?? null }
  return { ...place, databaseType, applyAutoIncrement: asked.applyAutoIncrement }
}

function licensedType(licence: string, wanted: DatabaseType | undefined): DatabaseType {
  const { databaseTypes } = parseLicence(licence)
  const type = wanted ?? databaseTypes[0]
  if (type !== undefined && databaseTypes.includes(type)) return type
  const allowed = databaseTypes.map(item => databaseTypeTable[item].label).join(', ') || 'no database'
  const asked = type === undefined ? 'a database schema' : databaseTypeTable[type].label
  throw forbidden(`The licence does not include ${asked}: it allows ${allowed}.`, 'licence')
}
