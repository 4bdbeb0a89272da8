import { listOrganisationEntities } from '@cadmus/model/contract/entity'
import { handle } from '../../http/route.ts'
import { entityListAnswer } from './list-answer.ts'

export const listOrganisationEntitiesRoute = handle(listOrganisationEntities, ({ query }, request) =>
  entityListAnswer(request, query),
)
