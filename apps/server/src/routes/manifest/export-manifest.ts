import { exportManifest, notesHeader } from '@cadmus/model/contract/manifest-transfer'
import { handle } from '../../http/route.ts'
import { requireExport } from './require-export.ts'
import { exportPlace, scriptInput } from './script-input.ts'

export const exportManifestRoute = handle(exportManifest, async ({ params, body }, request) => {
  const { workers } = request.context
  const place = () => exportPlace(params.id, body, request)
  const exporters = {
    DB_STRUCTURE: async () => workers.run('exportScript', await scriptInput(params.id, body, request), request.signal),
    // CDM folders depend on no database type or licence.
    CDM_SCHEMA: async () => workers.run('exportCdm', await place(), request.signal),
    ENTITY_GLOOP_MODEL: async () => workers.run('exportDataModel', await place(), request.signal),
  }
  const result = requireExport(await exporters[body.exportType]())
  request.setHeader(notesHeader, String(result.notes))
  return request.sendBinary(result.zip, result.fileName, 'application/zip')
})
