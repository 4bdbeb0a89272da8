import { previewExport } from '@cadmus/model/contract/manifest-transfer'
import { handle } from '../../http/route.ts'
import { exported } from './exported.ts'
import { scriptInput } from './script-input.ts'

export const previewExportRoute = handle(previewExport, async ({ params, body }, request) => {
  const input = await scriptInput(params.id, body, request)
  const { script, notes } = exported(await request.context.workers.run('previewScript', input, request.signal))
  return { result: 'OK' as const, message: '', script, notes }
})
