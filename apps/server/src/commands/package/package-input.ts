import type { Delivery } from '@cadmus/formats/package/delivery'
import { generating, withoutSecrets, type Configuration } from '@cadmus/model/configuration'
import type { PublishKind } from '@cadmus/model/package'
import type { PackageVersionRow } from '../../store/package-version.ts'
import { packageConfiguration } from './build-settings.ts'

type Input = {
  organisationId: number
  manifestId: number
  version: string
  packageName: string
  packageVersion: string
  organisation: string
  publishAs: PublishKind
  settings: string
  delivery: Pick<Delivery, 'owner' | 'adopts'>
}

/** What the build of a stored version is made of; its settings as they are stored, which a thread reads. */
export function packageInput(
  of: { name: string; organisation: string } & Pick<Input, 'delivery'>,
  row: PackageVersionRow,
): Input {
  return {
    organisationId: row.organisation_id,
    manifestId: row.manifest_id,
    version: row.manifest_version,
    packageName: of.name,
    organisation: of.organisation,
    packageVersion: row.version,
    publishAs: row.publish_as,
    settings: row.settings,
    delivery: of.delivery,
  }
}

/** Without secrets, which no package holds before it is asked for. A package with a schema or with models only has no API. */
export function configurationOfBuild(settings: readonly Configuration[], publishAs: PublishKind): Configuration {
  const configuration = withoutSecrets(packageConfiguration(settings))
  return generating(configuration, publishAs === 'PACKAGE' ? 'Manifest' : 'Database')
}
