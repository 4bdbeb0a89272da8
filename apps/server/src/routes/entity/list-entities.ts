import { listEntities } from '@cadmus/model/contract/entity'
import { handle } from '../../http/route.ts'
import { entityListAnswer } from './list-answer.ts'

export const listEntitiesRoute = handle(listEntities, ({ query }, request) =>
  entityListAnswer(request, { ...query, excluded: query.excludedEntity }),
)
