import { foldName } from '@cadmus/model/paths'
import type { Config } from './config.ts'

/** Only manifests of the one organisation named in the settings have service options. */
export function hasServiceOptions(
  { serviceOrganisation }: Pick<Config, 'serviceOrganisation'>,
  { code }: { code: string },
): boolean {
  return foldName(code) === foldName(serviceOrganisation)
}
