import { getManifestPaths } from '@cadmus/model/contract/manifest-configuration'
import { handle } from '../../http/route.ts'
import { foundManifest } from './found.ts'

export const getManifestPathsRoute = handle(getManifestPaths, async ({ params }, request) => {
  const { context, organisation, signal } = request
  const { id: manifestId } = await foundManifest(request, params.id)
  return context.workers.run('manifestPaths', { organisationId: organisation.id, manifestId, version: null }, signal)
})
