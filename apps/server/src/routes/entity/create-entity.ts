import { createEntity } from '@cadmus/model/contract/entity'
import { changeOf } from '../../commands/change.ts'
import { createEntity as create } from '../../commands/entity/create-entity.ts'
import { handle } from '../../http/route.ts'
import { answerChangedEntity } from './entity-answer.ts'

export const createEntityRoute = handle(createEntity, async ({ query, body }, request) => {
  const id = await create(changeOf(request, query.saveId), body)
  return answerChangedEntity(request, id)
})
