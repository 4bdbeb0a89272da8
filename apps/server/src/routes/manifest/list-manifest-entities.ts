import { listManifestEntities } from '@cadmus/model/contract/manifest'
import { handle } from '../../http/route.ts'
import { entitiesOfManifest } from '../../store/manifest-entities.ts'
import { requireManifest } from './require-manifest.ts'
import { entityListItem } from '../entity/entity-list-item.ts'
import { listFrame } from './list-items.ts'

export const listManifestEntitiesRoute = handle(listManifestEntities, async ({ params, query }, request) => {
  const manifest = await requireManifest(request, params.id)
  const { context, organisation } = request
  const listed = await entitiesOfManifest(context.store.of(organisation.id), organisation.id, manifest, {
    ...query,
    excluded: query.excludeEntityId,
  })
  return { ...listFrame(listed, query), entity: listed.rows.map(entityListItem) }
})
