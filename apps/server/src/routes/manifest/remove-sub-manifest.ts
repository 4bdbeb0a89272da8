import { removeSubManifest } from '@cadmus/model/contract/manifest'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { removeSubManifest as remove } from '../../commands/manifest/remove-sub-manifest.ts'
import { handle } from '../../http/route.ts'

export const removeSubManifestRoute = handle(removeSubManifest, async ({ params }, request) => {
  const { limits: licence } = request.organisation
  await remove(changeOf(request), { manifestId: params.id, subId: params.subId, licence })
  return { result: 'OK' as const, message: messages.subManifestDeleted }
})
