import { listManifestReferences } from '@cadmus/model/contract/references'
import { referencesTo } from '../../commands/entity/references-to.ts'
import { handle } from '../../http/route.ts'
import { ownedEntities } from '../../store/manifest-delete.ts'
import { requireManifest } from './require-manifest.ts'

export const listManifestReferencesRoute = handle(listManifestReferences, async ({ params, query }, request) => {
  const { context, organisation } = request
  const db = context.store.of(organisation.id)
  const manifest = await requireManifest(request, params.id)
  const owned = await ownedEntities(db, manifest)
  const { items } = await referencesTo(db, organisation.id, owned, manifest.id)
  return { references: items.slice(0, query.limit), totalElements: items.length }
})
