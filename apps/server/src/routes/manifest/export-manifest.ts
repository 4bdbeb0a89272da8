import { exportManifest, notesHeader } from '@cadmus/model/contract/manifest-transfer'
import { handle } from '../../http/route.ts'
import { exported } from './exported.ts'
import { scriptInput } from './script-input.ts'

export const exportManifestRoute = handle(exportManifest, async ({ params, body }, request) => {
  const input = await scriptInput(params.id, body, request)
  const made = exported(await request.context.workers.run('exportScript', input, request.signal))
  request.setHeader(notesHeader, String(made.notes))
  return request.sendBinary(made.zip, made.fileName, 'application/zip')
})
