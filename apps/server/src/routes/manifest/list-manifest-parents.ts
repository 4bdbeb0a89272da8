import { listManifestParents } from '@cadmus/model/contract/manifest'
import { handle } from '../../http/route.ts'
import { parentsOf } from '../../store/manifest-list.ts'
import { requireManifest } from './require-manifest.ts'
import { manifestList } from './list-items.ts'

export const listManifestParentsRoute = handle(listManifestParents, async ({ params, query }, request) => {
  const manifest = await requireManifest(request, params.id)
  const { context, organisation } = request
  const listed = await parentsOf(context.store.of(organisation.id), organisation.id, manifest.id, query)
  return manifestList(listed, query)
})
