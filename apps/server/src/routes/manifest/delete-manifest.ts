import { deleteManifest } from '@cadmus/model/contract/manifest'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { deleteManifest as remove } from '../../commands/manifest/delete-manifest.ts'
import { handle } from '../../http/route.ts'

export const deleteManifestRoute = handle(deleteManifest, async ({ params, query }, request) => {
  const { limits: licence } = request.organisation
  await remove(changeOf(request), { manifestId: params.id, onReferences: query.onReferences, licence })
  return { result: 'OK' as const, message: messages.manifestDeleted }
})
