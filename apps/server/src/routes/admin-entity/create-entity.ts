import { adminCreateEntity } from '@cadmus/model/contract/admin-documents'
import { changeOf } from '../../commands/change.ts'
import { createEntity } from '../../commands/entity/create-entity.ts'
import { changeInOrganisation } from '../../commands/entity/foreign-change.ts'
import { handle } from '../../http/route.ts'
import { answerChangedEntity } from '../entity/entity-answer.ts'

export const adminCreateEntityRoute = handle(adminCreateEntity, async ({ body }, request) => {
  const { change } = await changeInOrganisation(changeOf(request), body.org)
  const id = await createEntity(change, body)
  return answerChangedEntity(request, id, {}, change.organisationId)
})
