import { databaseTypeOf, databaseTypeTable } from '@cadmus/model/database-types'

/** Databases whose drivers are named after who makes them. */
const codes = new Map([
  ['ibm', 'db2'],
  ['microsoft', 'mssql'],
])

/**
 * Which database it is, as a configuration has it, from its address, its driver or what is said of it; of another kind its own code, such
 * as H2. MYSQL where nothing says.
 */
export function databaseKind({ url, driver, type }: { url: string; driver: string; type: string }): string {
  const scheme = /^jdbc:([a-z0-9]+):/i.exec(url)?.[1]
  // What a driver's package is named after: com.mysql.cj.jdbc.Driver, org.h2.Driver, oracle.jdbc.OracleDriver.
  const vendor = /^(?:(?:com|net|org)\.)?([a-z0-9]+)(?:\.|$)/i.exec(driver)?.[1]
  const words = [scheme, type.toLowerCase() === 'jdbc' ? undefined : type, vendor && (codes.get(vendor) ?? vendor)]
  const word = words.find(one => one !== undefined && one !== '')
  if (word === undefined) return databaseTypeTable.mysql.configuration
  const known = databaseTypeOf(word)
  return known === undefined ? word.toUpperCase() : databaseTypeTable[known].configuration
}
