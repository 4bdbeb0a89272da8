import { previewExport } from '@cadmus/model/contract/manifest-transfer'
import { handle } from '../../http/route.ts'
import { requireExport } from './require-export.ts'
import { exportPlace, scriptInput } from './script-input.ts'

export const previewExportRoute = handle(previewExport, async ({ params, body }, request) => {
  const { workers } = request.context
  const place = () => exportPlace(params.id, body, request)
  const exporters = {
    DB_STRUCTURE: async () => workers.run('previewScript', await scriptInput(params.id, body, request), request.signal),
    CDM_SCHEMA: async () => workers.run('previewCdm', await place(), request.signal),
    ENTITY_GLOOP_MODEL: async () => workers.run('previewDataModel', await place(), request.signal),
  }
  const { script, notes } = requireExport(await exporters[body.exportType]())
  return { result: 'OK' as const, message: '', script, notes }
})
