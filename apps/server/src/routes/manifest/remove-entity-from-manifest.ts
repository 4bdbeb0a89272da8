import { removeEntityFromManifest } from '@cadmus/model/contract/manifest-members'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { removeEntity } from '../../commands/manifest/remove-entity.ts'
import { handle } from '../../http/route.ts'

export const removeEntityFromManifestRoute = handle(removeEntityFromManifest, async ({ params }, request) => {
  await removeEntity(changeOf(request), params.id, params.entityId)
  return { result: 'OK' as const, message: messages.entityDeleted }
})
