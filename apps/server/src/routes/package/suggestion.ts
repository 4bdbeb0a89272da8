import type { ConfigurationChange } from '@cadmus/model/configuration'
import type { PublishKind } from '@cadmus/model/package'
import { highestFirst, nextMajor } from '@cadmus/model/version'
import type { BuildSource } from '../../commands/package/build-settings.ts'
import { takenVersions } from '../../commands/package/request-build.ts'
import type { RequestContext } from '../../http/route.ts'
import type { BuildRow } from '../../store/package-version.ts'
import { toPackageRequest } from './package-request.ts'

type NextBuild = {
  source: BuildSource
  packageName: string
  /** Null: as in the last build. */
  publishAs: PublishKind | null
  overrides: readonly ConfigurationChange[] | null
}
type SuccessfulBuild = BuildRow & { content_hash: string }

/**
 * Suggests a major version, with the reasons, if the build would break callers of the last one; null otherwise. Throws
 * 400 for invalid settings.
 */
export async function suggestionFor(
  builds: readonly BuildRow[],
  { source, packageName, publishAs, overrides: sourceValue }: NextBuild,
  request: RequestContext,
): Promise<{ version: string; reasons: string[] } | null> {
  const [last] = highestFirst(builds.filter(isBuilt), ({ version }) => version)
  if (last === undefined && sourceValue === null) return null
  const kind = publishAs ?? last?.publish_as ?? 'PACKAGE'
  const next = await toPackageRequest(
    source,
    { packageName, packageVersion: last?.version ?? '', publishAs: kind, overrides: sourceValue },
    request,
  )
  const input = { organisationId: source.organisationId, hash: last?.content_hash ?? null, next }
  const reasons = await request.context.workers.run('packageBreaks', input, request.signal)
  const version = nextMajor(takenVersions(builds))
  return version === undefined || reasons.length === 0 ? null : { version, reasons }
}

function isBuilt(build: BuildRow): build is SuccessfulBuild {
  return build.content_hash !== null
}
