import type { Configuration } from '@cadmus/model/configuration'
import type { PublishKind } from '@cadmus/model/package'
import { highestFirst, nextMajor } from '@cadmus/model/version'
import type { BuildSource } from '../../commands/package/build-settings.ts'
import { configurationOfBuild } from '../../commands/package/package-input.ts'
import { takenVersions } from '../../commands/package/request-build.ts'
import type { RequestContext } from '../../http/route.ts'
import type { BuildRow } from '../../store/package-version.ts'

type Next = {
  source: BuildSource
  packageName: string
  settings: readonly Configuration[]
  /** Undefined: as the last one was. */
  publishAs?: PublishKind
}
type Built = BuildRow & { content_hash: string }

/** The version that says that callers of the last build could not go on as they do, and why; null where they could. */
export async function suggestionFor(
  builds: readonly BuildRow[],
  next: Next,
  request: RequestContext,
): Promise<{ version: string; reasons: string[] } | null> {
  const [last] = highestFirst(builds.filter(isBuilt), ({ version }) => version)
  const version = nextMajor(takenVersions(builds))
  if (last === undefined || version === undefined) return null
  const reasons = await breaksSince(last, next, request)
  return reasons.length === 0 ? null : { version, reasons }
}

function isBuilt(build: BuildRow): build is Built {
  return build.content_hash !== null
}

async function breaksSince(
  last: Built,
  { source, packageName, settings, publishAs = last.publish_as }: Next,
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
    publishAs,
    configuration: configurationOfBuild(settings, publishAs),
  }
  return context.workers.run('packageBreaks', { organisationId, hash: last.content_hash, next }, signal)
}
