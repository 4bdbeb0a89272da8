import { connectionUrl, databaseTypeOf, databaseTypeTable, type DatabaseType } from '@cadmus/model/database-types'
import type { Configuration } from '@cadmus/model/configuration'
import { writeProperties } from './properties.ts'

/** Database type of a configuration; all Oracle variants map to Oracle. */
export function databaseTypeFor({ packageProperties }: Configuration): DatabaseType {
  const { type } = packageProperties.connectionPoolInfo
  const databaseType = databaseTypeOf(type)
  if (databaseType === undefined) throw new RangeError(`The database type '${type}' is not supported.`)
  return databaseType
}

/** Contents of `conf/properties/package.properties`, with a placeholder for each secret. */
export function packageProperties(configuration: Configuration): string {
  const type = databaseTypeFor(configuration)
  const { connectionPoolInfo, customProperties } = configuration.packageProperties
  const { databaseName, url, username } = connectionPoolInfo
  const prefix = databaseTypeTable[type].properties
  const own = [
    ['database.name', databaseName],
    ['database.type', prefix],
    [`${prefix}.driver`, drivers[type]],
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

const drivers: Readonly<Record<DatabaseType, string>> = {
  hsql: 'org.hsqldb.jdbc.JDBCDriver',
  mysql: 'com.mysql.cj.jdbc.Driver',
  postgresql: 'org.postgresql.Driver',
  oracle: 'oracle.jdbc.driver.OracleDriver',
  mssql: 'com.microsoft.sqlserver.jdbc.SQLServerDriver',
}
