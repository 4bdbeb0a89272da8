import { deleteEntityVersion } from '@cadmus/model/contract/entity'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { deleteEntityVersion as remove } from '../../commands/entity/versions.ts'
import { handle } from '../../http/route.ts'

export const deleteEntityVersionRoute = handle(deleteEntityVersion, async ({ params, query }, request) => {
  await remove(changeOf(request), params.id, query.version)
  return { result: 'OK' as const, message: messages.entityVersionDeleted }
})
