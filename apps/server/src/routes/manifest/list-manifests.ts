import { listManifests } from '@cadmus/model/contract/manifest'
import { handle } from '../../http/route.ts'
import { listManifests as storedManifests } from '../../store/manifest-list.ts'
import { manifestList } from './list-items.ts'

export const listManifestsRoute = handle(listManifests, async ({ query }, { context, organisation }) => {
  const listed = await storedManifests(context.store.of(organisation.id), organisation.id, query)
  return manifestList(listed, query)
})
