import { getManifest } from '@cadmus/model/contract/manifest'
import { handle } from '../../http/route.ts'
import { answerManifest } from './answer.ts'
import { foundManifest, foundVersion } from './found.ts'

export const getManifestRoute = handle(getManifest, async ({ params, query }, request) => {
  const row = await foundManifest(request, params.id)
  request.context.workers.expectValidation({ organisationId: request.organisation.id, manifestId: row.id })
  const frozen = await foundVersion(request, row, query.version)
  return answerManifest(request, row, frozen)
})
