import type { ConfigurationChange } from '@cadmus/model/configuration'
import { defaultPackageName, type PublishKind } from '@cadmus/model/package'
import type { BuildSource } from '../../commands/package/build-settings.ts'
import { checkPackageName, presentPackage, type NewBuild } from '../../commands/package/request-build.ts'
import type { RequestContext } from '../../http/route.ts'
import { requireManifest, requireVersion } from '../manifest/require-manifest.ts'
import { refuseErrors } from '../manifest/problems.ts'
import { toPackageRequest } from './package-request.ts'

/** Returns the manifest to build in the requested version; predefined ones are allowed. */
export async function buildSource(
  id: number,
  version: string | undefined,
  request: RequestContext,
): Promise<BuildSource> {
  const manifest = await requireManifest(request, id)
  return {
    organisationId: request.organisation.id,
    manifest,
    frozen: await requireVersion(request, manifest, version),
  }
}

/** Returns the package's name, derived from the manifest by default. */
export function packageNameOf({ manifest }: BuildSource, input: string): string {
  return input.trim() === '' ? defaultPackageName(manifest.name) : input.trim()
}

type BuildRequest = {
  packageName: string
  version: string | undefined
  publishAs: PublishKind
  overrides: readonly ConfigurationChange[]
}

/** Validates a requested build completely: throws 400 with all problems of the manifest if there is an error. */
export async function validateBuild(
  source: BuildSource,
  buildRequest: BuildRequest,
  request: RequestContext,
): Promise<NewBuild> {
  const { context, signal } = request
  const { manifest, organisationId } = source
  const { packageName, version, publishAs, overrides: input } = buildRequest
  const db = context.store.of(organisationId)
  checkPackageName(packageName)
  // Checked before the work, and again when stored.
  await presentPackage(db, organisationId, manifest, packageName)
  const next = await toPackageRequest(
    source,
    { packageName, packageVersion: version ?? '', publishAs, overrides: input },
    request,
  )
  const { problems, settings } = await context.workers.run('checkPackage', next, signal)
  refuseErrors(problems)
  return { manifest, manifestVersion: next.version, packageName, version, publishAs, settings }
}
