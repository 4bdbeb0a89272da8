import { updateEntity } from '@cadmus/model/contract/entity'
import { changeOf } from '../../commands/change.ts'
import { updateEntity as update } from '../../commands/entity/update-entity.ts'
import { handle } from '../../http/route.ts'
import { answerChangedEntity } from './entity-answer.ts'

export const updateEntityRoute = handle(updateEntity, async ({ params, query, body }, request) => {
  const { onReferences, saveId } = query
  const base = { ifMatch: request.ifMatch ?? '', onReferences }
  const saved = await update(changeOf(request, saveId), params.id, body, base)
  // Tag and content are both from this save; others may have saved since.
  return answerChangedEntity(request, params.id, saved)
})
