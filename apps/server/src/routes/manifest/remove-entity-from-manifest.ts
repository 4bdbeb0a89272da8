import { removeEntityFromManifest } from '@cadmus/model/contract/manifest'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { removeEntity } from '../../commands/manifest/remove-entity.ts'
import { handle } from '../../http/route.ts'

export const removeEntityFromManifestRoute = handle(removeEntityFromManifest, async ({ params, query }, request) => {
  const member = { manifestId: params.id, entityId: params.entityId }
  await removeEntity(changeOf(request), member, query.onReferences)
  return { result: 'OK' as const, message: messages.entityDeleted }
})
