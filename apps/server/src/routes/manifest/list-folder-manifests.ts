import { listFolderManifests } from '@cadmus/model/contract/manifest'
import { handle } from '../../http/route.ts'
import { listManifests } from '../../store/manifest-list.ts'
import { manifestList } from './list-items.ts'

export const listFolderManifestsRoute = handle(
  listFolderManifests,
  async ({ params, query }, { context, organisation }) => {
    const listed = await listManifests(context.store.of(organisation.id), organisation.id, {
      ...query,
      folder: params.folder,
    })
    return manifestList(listed, query)
  },
)
