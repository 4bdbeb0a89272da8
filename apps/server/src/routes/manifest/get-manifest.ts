import { getManifest } from '@cadmus/model/contract/manifest'
import { handle } from '../../http/route.ts'
import { answerManifest } from './answer.ts'
import { requireManifest, requireVersion } from './require-manifest.ts'

export const getManifestRoute = handle(getManifest, async ({ params, query }, request) => {
  const row = await requireManifest(request, params.id)
  request.context.workers.expectValidation({ organisationId: request.organisation.id, manifestId: row.id })
  const frozen = await requireVersion(request, row, query.version)
  return answerManifest(request, row, frozen)
})
