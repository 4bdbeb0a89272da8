import { listSubManifests } from '@cadmus/model/contract/manifest'
import { handle } from '../../http/route.ts'
import { pageOf, subManifestsOf } from '../../store/manifest-list.ts'
import { requireManifest } from './require-manifest.ts'
import { manifestList } from './list-items.ts'

export const listSubManifestsRoute = handle(listSubManifests, async ({ params, query }, request) => {
  const manifest = await requireManifest(request, params.id)
  const rows = await subManifestsOf(request.context.store.of(request.organisation.id), manifest)
  return manifestList(pageOf(rows, query), query)
})
