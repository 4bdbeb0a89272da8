import type { Configuration } from '@cadmus/model/configuration'
import type { PublishKind } from '@cadmus/model/package'
import { checkSize } from '../../commands/manifest/configuration-rules.ts'
import { sealedAsTyped } from '../../commands/manifest/configuration-secrets.ts'
import type { BuildSource } from '../../commands/package/build-settings.ts'
import type { RequestContext } from '../../http/route.ts'
import type { PackageRequest } from '../../jobs/tasks.ts'
import { hasServiceOptions } from '../../service-options.ts'

type PackageOptions = {
  packageName: string
  packageVersion: string
  publishAs: PublishKind
  /** Null: the stored settings. */
  overrides: readonly Configuration[] | null
}

/**
 * Converts a package request to a worker's input. New secrets are encrypted here, because workers have no keys. Throws
 * 400 for oversized settings.
 */
export async function toPackageRequest(
  { organisationId, manifest, frozen }: BuildSource,
  { overrides: input, ...options }: PackageOptions,
  { context, organisation }: RequestContext,
): Promise<PackageRequest> {
  const { secrets, config } = context
  const configurations: Configuration[] = []
  for (const configuration of input ?? []) {
    checkSize(configuration)
    configurations.push(await sealedAsTyped(secrets, configuration))
  }
  return {
    ...options,
    organisationId,
    manifestId: manifest.id,
    version: frozen?.version ?? manifest.latest_version,
    organisation: organisation.code,
    licence: organisation.limits,
    overrides: input && { configurations, serviceOptions: hasServiceOptions(config, organisation) },
  }
}
