import { buildManifest } from '@cadmus/model/contract/package'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { requestBuild } from '../../commands/package/request-build.ts'
import { handle } from '../../http/route.ts'
import { buildSource, packageNameOf, wantedBuild } from './build-source.ts'

export const buildManifestRoute = handle(buildManifest, async ({ params, body }, request) => {
  const source = await buildSource(params.id, body.manifestVersion, request)
  const asked = {
    packageName: packageNameOf(source, body.customPackageName),
    version: body.version,
    publishAs: body.publishAs,
    given: body.manifestProperties,
  }
  const built = await requestBuild(changeOf(request), await wantedBuild(source, asked, request))
  request.context.builds.look()
  const message = messages.packages.building(built.packageName, built.version)
  return { result: 'OK' as const, message, ...built }
})
