import { validateManifest } from '@cadmus/model/contract/manifest-transfer'
import { isOfDatabase } from '@cadmus/model/formats'
import { parseLicence } from '@cadmus/model/licence'
import { encodingOf } from '../../http/encoding.ts'
import { ReadyJson } from '../../http/ready-json.ts'
import { handle } from '../../http/route.ts'
import { requireManifest } from './require-manifest.ts'

export const validateManifestRoute = handle(validateManifest, async ({ params, query }, request) => {
  const { context, organisation, signal } = request
  const manifest = await requireManifest(request, params.id)
  const { exportType: target } = query
  const databaseTypes = isOfDatabase(target) ? parseLicence(organisation.limits).databaseTypes : []
  const encoding = encodingOf(request.header('accept-encoding'), ['gzip'])
  const input = { organisationId: organisation.id, manifestId: manifest.id, target, databaseTypes, encoding }
  return new ReadyJson(await context.workers.validate(input, signal), encoding)
})
