import type { Api } from '@cadmus/model/api/api'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import type { Configuration } from '@cadmus/model/configuration'
import { apiOf } from '@cadmus/sql/api-of'
import { packageModelOf } from '../package/package-model.ts'
import { aConfiguration, aPackageSource, aShop } from './built-packages.ts'

/** The API that a package of the resolved model serves. */
export function anApi(resolvedModel: ResolvedModel = aShop(), configuration: Configuration = aConfiguration()): Api {
  return apiOf(packageModelOf(aPackageSource({ resolvedModel, configuration })))
}
