import type { Delivery } from '@cadmus/formats/package/delivery'
import { adjustApiTypes, withoutSecrets, type Configuration } from '@cadmus/model/configuration'
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

/** Input of the build of a stored version, with stored settings; parsed by the worker. */
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

/** Without secrets, which are inserted on download only. A package with a schema or models only has no API. */
export function configurationOfBuild(settings: readonly Configuration[], publishAs: PublishKind): Configuration {
  const configuration = withoutSecrets(packageConfiguration(settings))
  return adjustApiTypes(configuration, publishAs === 'PACKAGE' ? 'Manifest' : 'Database')
}
