import { listFolderEntities } from '@cadmus/model/contract/entity'
import { handle } from '../../http/route.ts'
import { entityListAnswer } from './list-answer.ts'

export const listFolderEntitiesRoute = handle(listFolderEntities, ({ params, query }, request) =>
  entityListAnswer(request, { ...query, folderFilter: params.folder }),
)
