import { getManifestPaths } from '@cadmus/model/contract/manifest'
import { ReadyJson } from '../../http/ready-json.ts'
import { handle } from '../../http/route.ts'
import { requireManifest } from './require-manifest.ts'

export const getManifestPathsRoute = handle(getManifestPaths, async ({ params }, request) => {
  const { context, organisation, signal } = request
  const { id: manifestId } = await requireManifest(request, params.id)
  const place = { organisationId: organisation.id, manifestId, version: null }
  return new ReadyJson(await context.workers.run('manifestPaths', place, signal))
})
