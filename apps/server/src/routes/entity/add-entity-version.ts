import { addEntityVersion } from '@cadmus/model/contract/entity'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { addEntityVersion as add } from '../../commands/entity/versions.ts'
import { handle } from '../../http/route.ts'

export const addEntityVersionRoute = handle(addEntityVersion, async ({ params, query }, request) => {
  await add(changeOf(request, query.saveId), params.id, query.version)
  return { result: 'OK' as const, message: messages.entityVersionCreated }
})
