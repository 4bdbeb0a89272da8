import { compareBuild } from '@cadmus/model/contract/package'
import { nextPatch } from '@cadmus/model/version'
import { buildSettings } from '../../commands/package/build-settings.ts'
import { checkPackageName, presentPackage, takenVersions } from '../../commands/package/request-build.ts'
import { handle } from '../../http/route.ts'
import { hasServiceOptions } from '../../service-options.ts'
import { buildSource, packageNameOf } from './build-source.ts'
import { suggestionFor } from './suggestion.ts'

export const compareBuildRoute = handle(compareBuild, async ({ params, body }, request) => {
  const { context, organisation } = request
  const source = await buildSource(params.id, body.manifestVersion, request)
  const packageName = packageNameOf(source, body.customPackageName)
  checkPackageName(packageName)
  const db = context.store.of(source.organisationId)
  const { builds } = await presentPackage(db, source.organisationId, source.manifest, packageName)
  const settings = await buildSettings(db, source, body.manifestProperties, {
    box: context.secrets,
    licence: organisation.limits,
    serviceOptions: hasServiceOptions(context.config, organisation),
  })
  const { publishAs } = body
  return {
    result: 'OK' as const,
    message: '',
    version: nextPatch(takenVersions(builds)),
    suggestion: await suggestionFor(builds, { source, packageName, settings, publishAs }, request),
  }
})
