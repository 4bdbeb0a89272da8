import type { Configuration } from '@cadmus/model/configuration'
import type { PublishKind } from '@cadmus/model/package'
import { checkSize } from '../../commands/manifest/configuration-rules.ts'
import { sealedAsTyped } from '../../commands/manifest/configuration-secrets.ts'
import type { BuildSource } from '../../commands/package/build-settings.ts'
import type { RequestContext } from '../../http/route.ts'
import type { AskedPackage } from '../../jobs/tasks.ts'
import { hasServiceOptions } from '../../service-options.ts'

type Asked = {
  packageName: string
  packageVersion: string
  publishAs: PublishKind
  /** Null: the stored settings. */
  given: readonly Configuration[] | null
}

/**
 * Converts a package request to a worker's input. New secrets are encrypted here, because workers have no keys. Throws
 * 400 for oversized settings.
 */
export async function askedPackage(
  { organisationId, manifest, frozen }: BuildSource,
  { given, ...asked }: Asked,
  { context, organisation }: RequestContext,
): Promise<AskedPackage> {
  const { secrets, config } = context
  const configurations: Configuration[] = []
  for (const configuration of given ?? []) {
    checkSize(configuration)
    configurations.push(await sealedAsTyped(secrets, configuration))
  }
  return {
    ...asked,
    organisationId,
    manifestId: manifest.id,
    version: frozen?.version ?? manifest.latest_version,
    organisation: organisation.code,
    licence: organisation.limits,
    given: given && { configurations, serviceOptions: hasServiceOptions(config, organisation) },
  }
}
