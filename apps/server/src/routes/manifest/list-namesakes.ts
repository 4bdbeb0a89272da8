import { listNamesakes } from '@cadmus/model/contract/manifest-namesakes'
import { handle } from '../../http/route.ts'
import { foundManifest } from './found.ts'

export const listNamesakesRoute = handle(listNamesakes, async ({ params, query }, request) => {
  const { context, organisation, signal } = request
  const { id: manifestId } = await foundManifest(request, params.id)
  const place = { organisationId: organisation.id, manifestId, version: null }
  const { steps, etag } = await context.workers.run('namesakes', { ...place, strategy: query.strategy }, signal)
  request.setEtag(etag)
  return { steps }
})
