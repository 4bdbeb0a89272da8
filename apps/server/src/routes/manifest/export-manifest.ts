import { exportManifest, notesHeader } from '@cadmus/model/contract/manifest-transfer'
import { type DatabaseType, databaseTypeTable } from '@cadmus/model/database-types'
import { parseLicence } from '@cadmus/model/licence'
import { mayExportManifest } from '@cadmus/model/locks'
import { check, stateOf } from '../../commands/manifest/may.ts'
import { forbidden } from '../../errors/api-error.ts'
import { handle } from '../../http/route.ts'
import { foundManifest, foundVersion } from './found.ts'
import { refuseErrors } from './problems.ts'

export const exportManifestRoute = handle(exportManifest, async ({ params, body }, request) => {
  const { context, organisation, signal } = request
  const manifest = await foundManifest(request, params.id)
  const frozen = await foundVersion(request, manifest, body.version)
  check(mayExportManifest(stateOf(manifest)))
  const { applyAutoIncrement } = body
  const databaseType = licensedType(organisation.limits, body.databaseType)
  const place = { organisationId: organisation.id, manifestId: manifest.id, version: frozen?.version ?? null }
  const made = await context.workers.run('exportScript', { ...place, databaseType, applyAutoIncrement }, signal)
  if ('problems' in made) {
    refuseErrors(made.problems)
    throw new Error('An export gave neither a file nor an error.')
  }
  request.setHeader(notesHeader, String(made.notes))
  return request.sendBinary(made.zip, made.fileName, 'application/zip')
})

function licensedType(licence: string, wanted: DatabaseType | undefined): DatabaseType {
  const { databaseTypes } = parseLicence(licence)
  const type = wanted ?? databaseTypes[0]
  if (type !== undefined && databaseTypes.includes(type)) return type
  const allowed = databaseTypes.map(item => databaseTypeTable[item].label).join(', ') || 'no database'
  const asked = type === undefined ? 'a database schema' : databaseTypeTable[type].label
  throw forbidden(`The licence does not include ${asked}: it allows ${allowed}.`, 'licence')
}
