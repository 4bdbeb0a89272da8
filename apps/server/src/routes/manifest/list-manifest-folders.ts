import { listManifestFolders } from '@cadmus/model/contract/manifest'
import { handle } from '../../http/route.ts'
import { manifestFolders } from '../../store/manifest-list.ts'
import { listFrame } from './list-items.ts'

export const listManifestFoldersRoute = handle(listManifestFolders, async ({ query }, { context, organisation }) => {
  const { folders, total, next } = await manifestFolders(context.store.of(organisation.id), organisation.id, query)
  return { ...listFrame({ rows: folders, total, next }, query), folders }
})
