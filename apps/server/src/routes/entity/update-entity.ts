import { updateEntity } from '@cadmus/model/contract/entity'
import { changeOf } from '../../commands/change.ts'
import { updateEntity as update } from '../../commands/entity/update-entity.ts'
import { handle } from '../../http/route.ts'
import { answerEntity } from './entity-answer.ts'

export const updateEntityRoute = handle(updateEntity, async ({ params, body }, request) => {
  const { version } = await update(changeOf(request), params.id, body, request.ifMatch ?? '')
  // Tag and content of one state, which may already be a later one than this save's: the tag says so.
  return answerEntity(request, params.id, { version })
})
