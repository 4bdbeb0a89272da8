import { adminUpdateEntityContent } from '@cadmus/model/contract/admin-entity'
import { changeOf } from '../../commands/change.ts'
import { changeOfEntity } from '../../commands/entity/foreign-change.ts'
import { updateContent } from '../../commands/entity/update-content.ts'
import { handle } from '../../http/route.ts'
import { answerEntity } from '../entity/entity-answer.ts'

export const adminUpdateEntityContentRoute = handle(adminUpdateEntityContent, async ({ body }, request) => {
  const change = await changeOfEntity(changeOf(request), body.id)
  await updateContent(change, body.id, body.content, request.ifMatch ?? '')
  return answerEntity(request, body.id, {}, change.organisationId)
})
