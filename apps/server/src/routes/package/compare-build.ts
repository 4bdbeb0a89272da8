import { compareBuild } from '@cadmus/model/contract/package'
import { nextPatch } from '@cadmus/model/version'
import { checkPackageName, presentPackage, takenVersions } from '../../commands/package/request-build.ts'
import { handle } from '../../http/route.ts'
import { buildSource, packageNameOf } from './build-source.ts'
import { suggestionFor } from './suggestion.ts'

export const compareBuildRoute = handle(compareBuild, async ({ params, body }, request) => {
  const source = await buildSource(params.id, body.manifestVersion, request)
  const packageName = packageNameOf(source, body.customPackageName)
  checkPackageName(packageName)
  const db = request.context.store.of(source.organisationId)
  const { builds } = await presentPackage(db, source.organisationId, source.manifest, packageName)
  const next = { source, packageName, publishAs: body.publishAs, overrides: body.manifestProperties }
  return {
    result: 'OK' as const,
    message: '',
    version: nextPatch(takenVersions(builds)),
    suggestion: await suggestionFor(builds, next, request),
  }
})
