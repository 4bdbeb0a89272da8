import { adminCreateEntity } from '@cadmus/model/contract/admin-entity'
import { changeOf } from '../../commands/change.ts'
import { createEntity } from '../../commands/entity/create-entity.ts'
import { changeInOrganisation } from '../../commands/entity/foreign-change.ts'
import { handle } from '../../http/route.ts'
import { entityAnswer } from '../entity/entity-answer.ts'

export const adminCreateEntityRoute = handle(adminCreateEntity, async ({ body }, request) => {
  const change = await changeInOrganisation(changeOf(request), body.org)
  const place = { context: request.context, organisation: { id: change.organisationId } }
  const id = await createEntity(change, body)
  const { entity, hash } = await entityAnswer(place, id)
  request.setEtag(hash)
  return { entity }
})
