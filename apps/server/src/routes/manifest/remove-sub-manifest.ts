import { removeSubManifest } from '@cadmus/model/contract/manifest-members'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { removeSubManifest as remove } from '../../commands/manifest/remove-sub-manifest.ts'
import { handle } from '../../http/route.ts'

export const removeSubManifestRoute = handle(removeSubManifest, async ({ params }, request) => {
  await remove(changeOf(request), params.id, params.subId)
  return { result: 'OK' as const, message: messages.subManifestDeleted }
})
