import { validateManifest } from '@cadmus/model/contract/manifest-transfer'
import { parseLicence } from '@cadmus/model/licence'
import { firstError } from '@cadmus/model/validate'
import { handle } from '../../http/route.ts'
import { foundManifest } from './found.ts'
import { problemItem } from './problems.ts'

export const validateManifestRoute = handle(validateManifest, async ({ params }, request) => {
  const { context, organisation, signal } = request
  const manifest = await foundManifest(request, params.id)
  const { databaseTypes } = parseLicence(organisation.limits)
  const place = { organisationId: organisation.id, manifestId: manifest.id, version: null }
  const problems = await context.workers.run('validate', { ...place, databaseTypes }, signal)
  const message = firstError(problems)?.message ?? ''
  return { result: 'OK' as const, message, problems: problems.map(problemItem) }
})
