import type { Configuration } from '@cadmus/model/configuration'
import type { PublishKind } from '@cadmus/model/package'
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

/** A package as a thread is asked for it. Threads close no secrets: those that were typed are closed here. */
export function askedPackage(
  { organisationId, manifest, frozen }: BuildSource,
  { given, ...asked }: Asked,
  { context, organisation }: RequestContext,
): AskedPackage {
  const { secrets, config } = context
  return {
    ...asked,
    organisationId,
    manifestId: manifest.id,
    version: frozen?.version ?? manifest.latest_version,
    organisation: organisation.code,
    licence: organisation.limits,
    given: given && {
      configurations: given.map(configuration => sealedAsTyped(secrets, configuration)),
      serviceOptions: hasServiceOptions(config, organisation),
    },
  }
}
