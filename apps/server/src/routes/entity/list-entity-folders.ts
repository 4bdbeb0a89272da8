import { listEntityFolders } from '@cadmus/model/contract/entity'
import { handle } from '../../http/route.ts'
import { entityFolders } from '../../store/entity-list.ts'

export const listEntityFoldersRoute = handle(listEntityFolders, async ({ query }, { context, organisation }) => {
  const { folders, total, next } = await entityFolders(context.store.of(organisation.id), organisation.id, query)
  return {
    folders,
    totalElements: total,
    size: query.limit,
    page: query.page,
    result: 'OK' as const,
    message: '',
    next,
  }
})
