import {
  generateNavigator,
  getLibraryProgress,
  getNavigator,
  getNavigatorVersion,
  locateDocuments,
} from '@cadmus/model/contract/navigator'
import { limits } from '@cadmus/model/limits'
import { handle, type RequestContext, type Route } from '../http/route.ts'
import { libraryJob, loadLibrary } from '../library/load-library.ts'
import { coreSchema, coreVersion } from '../library/navigator.ts'
import { type EntityRow, entityRowsByIds } from '../store/entity.ts'
import { listEntities } from '../store/entity-list.ts'
import { manifestsByIds } from '../store/manifest.ts'
import { listManifests } from '../store/manifest-list.ts'
import { entityListItem, manifestItem } from './list-answers.ts'

export const navigatorRoutes: Route[] = [
  handle(getNavigator, async (_input, request) => {
    const predefined = await workspace(request, 'predefined', 'DEFAULT')
    const custom = await workspace(request, 'user-defined', 'PRIVATE')
    const core = await coreSchema(request.context.store.of(request.organisation.id))
    return { coreSchema: core, workspaces: [predefined, custom] }
  }),
  handle(getNavigatorVersion, async (_input, { context }) => ({
    buildVersion: await coreVersion(context.store.shared),
  })),
  handle(locateDocuments, async ({ query }, { context, organisation }) => {
    const db = context.store.of(organisation.id)
    const entities = (await entityRowsByIds(db, organisation.id, query.entities)).values()
    const manifests = await manifestsByIds(db, organisation.id, query.manifests)
    return { documents: [...[...entities].flatMap(placeOf('entity')), ...manifests.flatMap(placeOf('manifest'))] }
  }),
  handle(generateNavigator, async (_input, { context, organisation, who }) => {
    await loadLibrary(context, who.userId)
    return { coreSchema: await coreSchema(context.store.of(organisation.id)) }
  }),
  handle(getLibraryProgress, async (_input, { context }) => {
    const progress = await context.jobs.progress(libraryJob)
    // The progress of the last load is deleted after a while.
    return progress ?? { state: 'done' as const, done: 0, total: 0, message: '' }
  }),
]

/** Hidden documents are former ones of the library. */
function placeOf<K extends 'entity' | 'manifest'>(kind: K) {
  return ({ id, name, path, hidden }: Pick<EntityRow, 'id' | 'name' | 'path' | 'hidden'>) =>
    hidden === 0 ? [{ kind, id, name, path }] : []
}

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
