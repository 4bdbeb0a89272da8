import { adminReloadEntity } from '@cadmus/model/contract/admin-documents'
import { changeOf } from '../../commands/change.ts'
import { reloadEntity } from '../../commands/entity/reload-entity.ts'
import { handle } from '../../http/route.ts'
import { loadLibrary } from '../../library/load-library.ts'
import { answerChangedEntity } from '../entity/entity-answer.ts'

export const adminReloadEntityRoute = handle(adminReloadEntity, async ({ params }, request) => {
  await reloadEntity(changeOf(request), params.id, () => loadLibrary(request.context, request.who.userId))
  return answerChangedEntity(request, params.id)
})
