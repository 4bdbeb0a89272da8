import { listNamesakes } from '@cadmus/model/contract/manifest'
import { handle } from '../../http/route.ts'
import { requireManifest } from './require-manifest.ts'

export const listNamesakesRoute = handle(listNamesakes, async ({ params, query }, request) => {
  const { context, organisation, signal } = request
  const { id: manifestId } = await requireManifest(request, params.id)
  const place = { organisationId: organisation.id, manifestId, version: null }
  const { steps, etag } = await context.workers.run('nameConflicts', { ...place, strategy: query.strategy }, signal)
  request.setEtag(etag)
  return { steps }
})
