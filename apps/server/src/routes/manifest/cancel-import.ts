import { cancelImport } from '@cadmus/model/contract/manifest-transfer'
import { messages } from '@cadmus/model/messages'
import { notFound } from '../../errors/api-error.ts'
import { handle } from '../../http/route.ts'

export const cancelImportRoute = handle(cancelImport, async ({ params }, { context, organisation }) => {
  const place = { organisationId: organisation.id, kind: 'import' as const, key: params.key }
  if (!(await context.jobs.cancel(place))) throw notFound('The import')
  return { result: 'OK' as const, message: messages.importCancelled }
})
