import { getNavigator } from '@cadmus/model/contract/navigator'
import { limits } from '@cadmus/model/limits'
import { handle } from '../../http/route.ts'
import { coreSchema } from '../../library/navigator.ts'
import { listEntities } from '../../store/entity-list.ts'
import { listManifests } from '../../store/manifest-list.ts'
import { entityListItem } from '../entity/entity-list-item.ts'
import { manifestItem } from '../manifest/list-items.ts'
import type { RequestContext } from '../../http/route.ts'

export const getNavigatorRoute = handle(getNavigator, async (_input, request) => {
  const predefined = await workspace(request, 'predefined', 'DEFAULT')
  const custom = await workspace(request, 'user-defined', 'PRIVATE')
  const core = await coreSchema(request.context.store.of(request.organisation.id))
  return { coreSchema: core, workspaces: [predefined, custom] }
})

/** A workspace with the first page of its lists. */
async function workspace(
  { context, organisation }: RequestContext,
  name: 'predefined' | 'user-defined',
  filter: 'DEFAULT' | 'PRIVATE',
) {
  const db = context.store.of(organisation.id)
  const query = { filter, page: 0, limit: limits.treePageSize }
  const entities = (await listEntities(db, organisation.id, query)).rows.map(entityListItem)
  const manifests = (await listManifests(db, organisation.id, query)).rows.map(manifestItem)
  return {
    name,
    entityPaths: entities.map(item => item.location),
    manifestPaths: manifests.map(item => item.location),
    entities,
    manifests,
  }
}
