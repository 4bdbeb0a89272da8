import { buildManifest } from '@cadmus/model/contract/package'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { requestBuild } from '../../commands/package/request-build.ts'
import { handle } from '../../http/route.ts'
import { buildSource, packageNameOf, validateBuild } from './build-source.ts'

export const buildManifestRoute = handle(buildManifest, async ({ params, body }, request) => {
  const source = await buildSource(params.id, body.manifestVersion, request)
  const buildRequest = {
    packageName: packageNameOf(source, body.customPackageName),
    version: body.version,
    publishAs: body.publishAs,
    overrides: body.manifestProperties,
  }
  const built = await requestBuild(changeOf(request), await validateBuild(source, buildRequest, request))
  request.context.builds.poll()
  const message = messages.packages.building(built.packageName, built.version)
  return { result: 'OK' as const, message, ...built }
})
