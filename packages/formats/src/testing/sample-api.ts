import type { Api } from '@cadmus/model/api/api'
import type { Closure } from '@cadmus/model/closure'
import type { Configuration } from '@cadmus/model/configuration'
import { apiOf } from '@cadmus/sql/api-of'
import { packageModelOf } from '../package/package-model.ts'
import { aConfiguration, aPackageSource, aShop } from './built-packages.ts'

/** The API that a package of the closure serves. */
export function anApi(closure: Closure = aShop(), configuration: Configuration = aConfiguration()): Api {
  return apiOf(packageModelOf(aPackageSource({ closure, configuration })))
}
