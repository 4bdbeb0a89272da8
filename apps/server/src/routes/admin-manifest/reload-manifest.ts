import { adminReloadManifest } from '@cadmus/model/contract/admin-documents'
import { changeOf } from '../../commands/change.ts'
import { reloadManifest } from '../../commands/manifest/reload-manifest.ts'
import { handle } from '../../http/route.ts'
import { loadLibrary } from '../../library/load-library.ts'
import { answerManifest } from '../manifest/answer.ts'
import { requireManifest } from '../manifest/require-manifest.ts'

export const adminReloadManifestRoute = handle(adminReloadManifest, async ({ params }, request) => {
  await reloadManifest(changeOf(request), params.id, () => loadLibrary(request.context, request.who.userId))
  return answerManifest(request, await requireManifest(request, params.id))
})
