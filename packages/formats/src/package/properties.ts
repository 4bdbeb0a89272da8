import type { Configuration } from '@cadmus/model/configuration'
import {
  connectionUrl,
  type PackageDatabase,
  packageDatabaseOf,
  packageDatabaseTable,
} from '@cadmus/model/database-types'
import { databases } from '@cadmus/sql/databases'

/** Writes a `.properties` file: ASCII, one property per line, in the given order. */
export function writeProperties(properties: Iterable<readonly [name: string, value: string]>): string {
  return [...properties].map(([name, value]) => `${escapedName(name)}=${escapedValue(value)}\n`).join('')
}

/** Parses a `.properties` file; the last of several equal names counts. */
export function readProperties(text: string): Map<string, string> {
  const properties = new Map<string, string>()
  for (const line of logicalLines(text)) {
    const { name, value } = parted(line)
    properties.set(unescaped(name), unescaped(value))
  }
  return properties
}

function escapedName(name: string): string {
  return escapedAll(name).replace(/[ =:#!]/g, '\\$&')
}

/** Escapes a leading space, which would belong to the separator. */
function escapedValue(value: string): string {
  return escapedAll(value).replace(/^[ #!]/, '\\$&')
}

function escapedAll(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\f', '\\f')
    .replace(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
}

/** Yields logical lines: without comments, with continuation lines joined. */
function* logicalLines(text: string): Generator<string> {
  let begun: string | null = null
  for (const line of text.split(/\r\n|\r|\n/)) {
    const plain = line.replace(/^[ \t\f]+/, '')
    if (begun === null && (plain === '' || plain.startsWith('#') || plain.startsWith('!'))) continue
    const whole: string = (begun ?? '') + plain
    const goesOn = isCutOff(plain)
    if (!goesOn) yield whole
    begun = goesOn ? whole.slice(0, -1) : null
  }
  if (begun !== null) yield begun
}

function isCutOff(line: string): boolean {
  let backslashes = 0
  while (line[line.length - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}

/** The name ends at the first unescaped `=`, `:` or whitespace. */
function parted(line: string): { name: string; value: string } {
  let end = 0
  while (end < line.length && !/[=: \t\f]/.test(line[end] ?? '')) end += line[end] === '\\' ? 2 : 1
  const rest = line.slice(end).replace(/^[ \t\f]+/, '')
  const value = /^[=:]/.test(rest) ? rest.slice(1).replace(/^[ \t\f]+/, '') : rest
  return { name: line.slice(0, end), value }
}

const controls: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f' }

function unescaped(text: string): string {
  return text.replace(/\\(?:u([\da-fA-F]{4})|([^]))?/g, (_whole, unit?: string, other?: string) => {
    if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16))
    return other === undefined ? '' : (controls[other] ?? other)
  })
}

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
