import { foldName } from '@cadmus/model/paths'
import type { Config } from './config.ts'

/** Whether manifests of the organisation may be given service options: the operator names the one. */
export function hasServiceOptions(
  { serviceOrganisation }: Pick<Config, 'serviceOrganisation'>,
  { code }: { code: string },
): boolean {
  return foldName(code) === foldName(serviceOrganisation)
}
