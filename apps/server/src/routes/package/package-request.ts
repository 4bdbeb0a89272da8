import {
  readConfiguration,
  secretPlaceholder,
  type Configuration,
  type ConfigurationChange,
} from '@cadmus/model/configuration'
import { foldName } from '@cadmus/model/paths'
import type { PublishKind } from '@cadmus/model/package'
import { checkSize } from '../../commands/manifest/configuration-rules.ts'
import { sealedAsTyped } from '../../commands/manifest/configuration-secrets.ts'
import { storedSettings, type BuildSource } from '../../commands/package/build-settings.ts'
import type { RequestContext } from '../../http/route.ts'
import type { PackageRequest } from '../../jobs/tasks.ts'
import { hasServiceOptions } from '../../service-options.ts'

type PackageOptions = {
  packageName: string
  packageVersion: string
  publishAs: PublishKind
  /** Null: the stored settings. */
  overrides: readonly ConfigurationChange[] | null
}

/**
 * Converts a package request to a worker's input. New secrets are encrypted here, because workers have no keys. Throws
 * 400 for oversized settings.
 */
export async function toPackageRequest(
  source: BuildSource,
  { overrides: input, ...options }: PackageOptions,
  { context, organisation }: RequestContext,
): Promise<PackageRequest> {
  const { secrets, config, store } = context
  const { organisationId, manifest, frozen } = source
  const configurations: Configuration[] = []
  const isIncomplete = (input ?? []).some(hasImplicitSecrets)
  const stored = isIncomplete ? await storedSettings(store.of(organisationId), source, organisation.limits) : []
  const storedByName = new Map(stored.map(one => [foldName(one.name), one.configuration]))
  for (const change of input ?? []) {
    const configuration = readConfiguration(change)
    checkSize(configuration)
    const complete = withImplicitSecrets(configuration, change, storedByName.get(foldName(configuration.manifestName)))
    configurations.push(await sealedAsTyped(secrets, complete))
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

function hasImplicitSecrets({ packageProperties }: ConfigurationChange): boolean {
  return (packageProperties?.customProperties ?? []).some(({ secret }) => secret === undefined)
}

/** Properties without a flag have that of the stored one, so that no secret becomes readable by omission. */
function withImplicitSecrets(
  configuration: Configuration,
  change: ConfigurationChange,
  stored: Configuration | undefined,
): Configuration {
  const { packageProperties } = configuration
  const secretNames = new Set(
    stored?.packageProperties.customProperties.filter(({ secret }) => secret).map(({ name }) => name),
  )
  const customProperties = packageProperties.customProperties.map((item, index) => {
    const { secret, value } = change.packageProperties?.customProperties?.[index] ?? {}
    if (secret !== undefined || !secretNames.has(item.name)) return item
    return { ...item, secret: true, value: value ?? secretPlaceholder }
  })
  return { ...configuration, packageProperties: { ...packageProperties, customProperties } }
}
