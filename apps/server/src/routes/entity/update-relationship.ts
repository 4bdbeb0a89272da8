import { updateRelationship } from '@cadmus/model/contract/entity'
import { changeOf } from '../../commands/change.ts'
import { updateRelationship as update } from '../../commands/entity/relationships.ts'
import { handle } from '../../http/route.ts'
import { answerRelationship } from './entity-answer.ts'
import { baseOf } from './relationship-base.ts'

export const updateRelationshipRoute = handle(updateRelationship, async ({ params, query, body }, request) => {
  const name = { associatedEntityId: params.associatedEntityId, foreignKey: query.associatedAttributeName }
  const changed = await update(changeOf(request), baseOf(request, params.id), name, body)
  return answerRelationship(request, params.id, changed)
})
