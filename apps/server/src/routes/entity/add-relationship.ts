import { addRelationship } from '@cadmus/model/contract/entity'
import { changeOf } from '../../commands/change.ts'
import { createRelationship } from '../../commands/entity/relationships.ts'
import { handle } from '../../http/route.ts'
import { answerRelationship } from './entity-answer.ts'
import { baseOf } from './relationship-base.ts'

export const addRelationshipRoute = handle(addRelationship, async ({ params, query, body }, request) => {
  const changed = await createRelationship(changeOf(request, query.saveId), baseOf(request, params.id), body)
  return answerRelationship(request, params.id, changed)
})
