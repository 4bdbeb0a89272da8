import { getImportProgress } from '@cadmus/model/contract/manifest-transfer'
import { notFound } from '../../errors/api-error.ts'
import { handle } from '../../http/route.ts'

export const getImportProgressRoute = handle(getImportProgress, async ({ params }, { context, organisation }) => {
  const progress = await context.jobs.progress({ organisationId: organisation.id, kind: 'import', key: params.key })
  if (progress === undefined) throw notFound('The import')
  return progress
})
