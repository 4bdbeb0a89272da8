import { createManifest } from '@cadmus/model/contract/manifest'
import { changeOf } from '../../commands/change.ts'
import { createManifest as create } from '../../commands/manifest/create-manifest.ts'
import { handle } from '../../http/route.ts'
import { answerManifest } from './answer.ts'
import { requireManifest } from './require-manifest.ts'
import { plainManifest } from './plain-manifest.ts'

export const createManifestRoute = handle(createManifest, async ({ query, body }, request) => {
  const id = await create(changeOf(request, query.saveId), plainManifest(body, request.organisation))
  return answerManifest(request, await requireManifest(request, id))
})
