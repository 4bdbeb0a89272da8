import { listOrganisationManifests } from '@cadmus/model/contract/manifest'
import { handle } from '../../http/route.ts'
import { listManifests } from '../../store/manifest-list.ts'
import { manifestList } from './list-items.ts'

export const listOrganisationManifestsRoute = handle(
  listOrganisationManifests,
  async ({ query }, { context, organisation }) => {
    const listed = await listManifests(context.store.of(organisation.id), organisation.id, query)
    return manifestList(listed, query)
  },
)
