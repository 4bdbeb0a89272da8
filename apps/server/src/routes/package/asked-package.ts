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
  /** Null: by what is stored, as it is. */
  given: readonly Configuration[] | null
}

/** A package as a thread is asked for it. Threads close no secrets: those that were typed are closed here. 400 for more than may be stored. */
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
