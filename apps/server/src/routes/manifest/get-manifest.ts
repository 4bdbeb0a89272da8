import { getManifest } from '@cadmus/model/contract/manifest'
import { handle } from '../../http/route.ts'
import { manifestAnswerOf } from './answer.ts'
import { foundManifest, foundVersion } from './found.ts'

export const getManifestRoute = handle(getManifest, async ({ params, query }, request) => {
  const row = await foundManifest(request, params.id)
  const frozen = await foundVersion(request, row, query.version)
  const { manifest, etag } = await manifestAnswerOf(request, row, frozen)
  request.setEtag(etag)
  return { manifest }
})
