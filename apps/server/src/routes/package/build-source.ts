import type { Configuration } from '@cadmus/model/configuration'
import { defaultPackageName, type PublishKind } from '@cadmus/model/package'
import type { BuildSource } from '../../commands/package/build-settings.ts'
import { checkPackageName, presentPackage, type WantedBuild } from '../../commands/package/request-build.ts'
import type { RequestContext } from '../../http/route.ts'
import { foundManifest, foundVersion } from '../manifest/found.ts'
import { refuseErrors } from '../manifest/problems.ts'
import { askedPackage } from './asked-package.ts'

/** Returns the manifest to build in the requested version; predefined ones are allowed. */
export async function buildSource(
  id: number,
  version: string | undefined,
  request: RequestContext,
): Promise<BuildSource> {
  const manifest = await foundManifest(request, id)
  return {
    organisationId: request.organisation.id,
    manifest,
    frozen: await foundVersion(request, manifest, version),
  }
}

/** Returns the package's name, derived from the manifest by default. */
export function packageNameOf({ manifest }: BuildSource, given: string): string {
  return given.trim() === '' ? defaultPackageName(manifest.name) : given.trim()
}

type Asked = {
  packageName: string
  version: string | undefined
  publishAs: PublishKind
  given: readonly Configuration[]
}

/** Validates a requested build completely: throws 400 with all problems of the manifest if there is an error. */
export async function wantedBuild(source: BuildSource, asked: Asked, request: RequestContext): Promise<WantedBuild> {
  const { context, signal } = request
  const { manifest, organisationId } = source
  const { packageName, version, publishAs, given } = asked
  const db = context.store.of(organisationId)
  checkPackageName(packageName)
  // Checked before the work, and again when stored.
  await presentPackage(db, organisationId, manifest, packageName)
  const next = await askedPackage(source, { packageName, packageVersion: version ?? '', publishAs, given }, request)
  const { problems, settings } = await context.workers.run('checkPackage', next, signal)
  refuseErrors(problems)
  return { manifest, manifestVersion: next.version, packageName, version, publishAs, settings }
}
