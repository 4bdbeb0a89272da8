import { cancelImport } from '@cadmus/model/contract/manifest-transfer'
import { notFound } from '../../errors/api-error.ts'
import { handle } from '../../http/route.ts'

export const cancelImportRoute = handle(cancelImport, async ({ params }, { context, organisation }) => {
  if (!context.imports.cancel(organisation.id, params.key)) throw notFound('The import')
  return { result: 'OK' as const, message: '' }
})
