import { deleteRelationship } from '@cadmus/model/contract/entity'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { deleteRelationship as remove } from '../../commands/entity/relationships.ts'
import { ReadyJson } from '../../http/ready-json.ts'
import { handle } from '../../http/route.ts'
import { answerChangedEntity } from './entity-answer.ts'
import { baseOf } from './relationship-base.ts'

export const deleteRelationshipRoute = handle(deleteRelationship, async ({ params, query }, request) => {
  const name = { associatedEntityId: params.associatedEntityId, foreignKey: query.associatedAttributeName }
  const { hash } = await remove(changeOf(request), baseOf(request, params.id), name, query.onReferences)
  const confirmation = { result: 'OK' as const, message: messages.entityAttributesDeleted }
  const answer = await answerChangedEntity(request, params.id, { hash })
  return answer instanceof ReadyJson ? answer.with(confirmation) : { ...confirmation, ...answer }
})
