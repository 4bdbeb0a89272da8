import { updateManifest } from '@cadmus/model/contract/manifest'
import { changeOf } from '../../commands/change.ts'
import { renameManifest } from '../../commands/manifest/rename-manifest.ts'
import { handle } from '../../http/route.ts'
import { answerManifest } from './answer.ts'
import { foundManifest } from './found.ts'

export const updateManifestRoute = handle(updateManifest, async ({ params, body }, request) => {
  await renameManifest(changeOf(request), params.id, { name: body.manifestName, ifMatch: request.ifMatch ?? '' })
  // Tag and content of one state, which may already be a later one than this: the tag says so.
  return answerManifest(request, await foundManifest(request, params.id))
})
