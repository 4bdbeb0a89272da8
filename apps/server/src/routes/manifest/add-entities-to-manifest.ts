import { addEntitiesToManifest } from '@cadmus/model/contract/manifest'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { addEntities } from '../../commands/manifest/add-entities.ts'
import { handle } from '../../http/route.ts'

export const addEntitiesToManifestRoute = handle(addEntitiesToManifest, async ({ params, body }, request) => {
  const { entityIds, type } = body
  const entities = await addEntities(changeOf(request), { manifestId: params.id, entityIds, type })
  return { result: 'OK' as const, message: messages.entityAddedToManifest, entities }
})
