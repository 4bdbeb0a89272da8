import { packageDatabaseOf, packageDatabaseTable } from '@cadmus/model/package-databases'

/** Drivers that are named after their vendor. */
const codes = new Map([
  ['ibm', 'db2'],
  ['microsoft', 'mssql'],
])

/**
 * Derives a configuration's database type from the JDBC address, type or driver. Returns the upper-case name of an
 * unsupported type, such as H2, and MYSQL if there is no hint.
 */
export function databaseKind({ url, driver, type }: { url: string; driver: string; type: string }): string {
  const scheme = /^jdbc:([a-z0-9]+):/i.exec(url)?.[1]
  // The vendor in a driver class: com.mysql.cj.jdbc.Driver, org.h2.Driver, oracle.jdbc.OracleDriver.
  const vendor = /^(?:(?:com|net|org)\.)?([a-z0-9]+)(?:\.|$)/i.exec(driver)?.[1]
  const words = [scheme, type.toLowerCase() === 'jdbc' ? undefined : type, vendor && (codes.get(vendor) ?? vendor)]
  const word = words.find(one => one !== undefined && one !== '')
  if (word === undefined) return packageDatabaseTable.mysql.configuration
  const supported = packageDatabaseOf(word)
  return supported === undefined ? word.toUpperCase() : packageDatabaseTable[supported].configuration
}
