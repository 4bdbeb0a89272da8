import { deleteEntity } from '@cadmus/model/contract/entity'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { deleteEntity as remove } from '../../commands/entity/delete-entity.ts'
import { handle } from '../../http/route.ts'

export const deleteEntityRoute = handle(deleteEntity, async ({ params, query }, request) => {
  await remove(changeOf(request), params.id, query.onReferences)
  return { result: 'OK' as const, message: messages.entityDeleted }
})
