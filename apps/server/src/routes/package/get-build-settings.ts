import { getBuildSettings } from '@cadmus/model/contract/package'
import type { Configuration } from '@cadmus/model/configuration'
import { highestFirst, nextMajor, nextPatch } from '@cadmus/model/version'
import { type BuildSource, storedSettings } from '../../commands/package/build-settings.ts'
import { configurationOfBuild } from '../../commands/package/package-input.ts'
import { checkPackageName, presentPackage, takenVersions } from '../../commands/package/request-build.ts'
import { handle, type RequestContext } from '../../http/route.ts'
import { withMarkedSecrets } from '../../store/manifest-configuration.ts'
import type { BuildRow } from '../../store/package-version.ts'
import { buildSource, packageNameOf } from './build-source.ts'

export const getBuildSettingsRoute = handle(getBuildSettings, async ({ params, query }, request) => {
  const source = await buildSource(params.id, query.manifestVersion, request)
  const { organisation, context } = request
  const db = context.store.of(organisation.id)
  const packageName = packageNameOf(source, query.packageName)
  checkPackageName(packageName)
  const { row, builds } = await presentPackage(db, organisation.id, source.manifest, packageName)
  const taken = takenVersions(builds)
  const settings = await storedSettings(db, source, organisation.limits)
  const [last] = highestFirst(builds.filter(isBuilt), ({ version }) => version)
  const input = { source, packageName, settings: settings.map(({ configuration }) => configuration) }
  const breaks = last === undefined ? [] : await breaksSince(last, input, request)
  const major = nextMajor(taken)
  return {
    result: 'OK' as const,
    message: '',
    packageName: row?.name ?? packageName,
    version: nextPatch(taken),
    suggestion: breaks.length > 0 && major !== undefined ? { version: major, reasons: breaks } : null,
    takenVersions: highestFirst(taken, version => version),
    // A version's secrets are placeholders already.
    manifestProperties: settings.map(({ configuration }) =>
      source.frozen === null ? withMarkedSecrets(configuration) : configuration,
    ),
  }
})

type Built = BuildRow & { content_hash: string }
type Next = { source: BuildSource; packageName: string; settings: readonly Configuration[] }

function isBuilt(build: BuildRow): build is Built {
  return build.content_hash !== null
}

/** What callers of a build would miss in the next one, of the same kind. */
async function breaksSince(
  last: Built,
  { source, packageName, settings }: Next,
  { context, organisation, signal }: RequestContext,
): Promise<string[]> {
  const { organisationId, manifest, frozen } = source
  const next = {
    organisationId,
    manifestId: manifest.id,
    version: frozen?.version ?? manifest.latest_version,
    packageName,
    packageVersion: last.version,
    organisation: organisation.code,
    publishAs: last.publish_as,
    configuration: configurationOfBuild(settings, last.publish_as),
  }
  return context.workers.run('packageBreaks', { organisationId, hash: last.content_hash, next }, signal)
}
