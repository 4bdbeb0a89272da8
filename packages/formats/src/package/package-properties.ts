import type { Configuration } from '@cadmus/model/configuration'
import {
  connectionUrl,
  packageDatabaseOf,
  packageDatabaseTable,
  type PackageDatabase,
} from '@cadmus/model/package-databases'
import { databases } from '@cadmus/sql/databases'
import { writeProperties } from './properties.ts'

/** Database type of a configuration; all Oracle variants map to Oracle. */
export function databaseTypeFor({ packageProperties }: Configuration): PackageDatabase {
  const { type } = packageProperties.connectionPoolInfo
  const databaseType = packageDatabaseOf(type)
  if (databaseType === undefined) throw new RangeError(`The database type '${type}' is not supported.`)
  return databaseType
}

/** Contents of `conf/properties/package.properties`, with a placeholder for each secret. */
export function packageProperties(configuration: Configuration): string {
  const type = databaseTypeFor(configuration)
  const { connectionPoolInfo, customProperties } = configuration.packageProperties
  const { databaseName, url, username } = connectionPoolInfo
  const prefix = packageDatabaseTable[type].properties
  const own = [
    ['database.name', databaseName],
    ['database.type', prefix],
    [`${prefix}.driver`, databases[type].package.driver],
    [`${prefix}.connection.url`, url.trim() === '' ? connectionUrl(type, databaseName) : url],
    [`${prefix}.username`, username],
    [`${prefix}.password`, passwordPlaceholder],
  ] as const
  const used = new Set<string>(own.map(([name]) => name))
  const custom = new Map(
    customProperties
      .filter(({ name }) => name !== '' && !used.has(name))
      .map(({ name, value, secret }) => [name, secret ? placeholderFor(name) : value]),
  )
  return writeProperties([...own, ...custom])
}

/** Placeholders for the database password and for secret custom properties. */
export const passwordPlaceholder = '${database.password}'

export function placeholderFor(property: string): string {
  return `\${secret.${property}}`
}
