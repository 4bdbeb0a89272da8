import type { Literal } from '@cadmus/model/values/literal'
import { readDecimal, writeDecimal } from '@cadmus/model/values/number'
import { databases } from '../databases.ts'
import type { ColumnType, Table } from '../tree.ts'
import type { Database } from './engines.ts'

// For tests only: the stored defaults of a table, in the same form for all databases.

export type TestedType = 'postgresql' | 'mysql' | 'hsql'

/** Inserts a row of defaults and reads it: the values that are not null, by column name. */
export async function storedDefaults(
  table: Table,
  type: TestedType,
  database: Database,
): Promise<Map<string, unknown>> {
  const quote = (name: string) => databases[type].export.quote(name)
  const into = quote(table.name)
  await database.execute(`INSERT INTO ${into} ${type === 'mysql' ? '() VALUES ()' : 'DEFAULT VALUES'}`)
  const columns = table.columns.filter(column => column.default !== null || column.nullable)
  const texts = columns.map(
    (column, index) => `${asText(quote(column.name), column.type, type)} AS ${quote(`c${index}`)}`,
  )
  const [row = {}] = await database.query(`SELECT ${texts.join(', ')} FROM ${into}`)
  const values = columns.map((column, index): [string, unknown] => {
    const value = row[`c${index}`]
    return [column.name, typeof value === 'string' ? read(value, column.type) : null]
  })
  return new Map(values.filter(([, value]) => value !== null))
}

/** A value of the model in the form of `storedDefaults`. */
export function comparableValue({ kind, value }: Literal, type: ColumnType): unknown {
  if (kind === 'boolean') return value
  if (kind === 'timestamp' || kind === 'instant') return read(value.replace('T', ' '), type)
  return read(value, type)
}

function asText(quoted: string, columnType: ColumnType, type: TestedType): string {
  const { kind } = columnType
  // MariaDB writes six digits.
  if (columnType.kind === 'double' && columnType.isSingle && type === 'mysql')
    return asText(`CAST(${quoted} AS DOUBLE)`, { kind: 'double' }, type)
  if (kind === 'instant' && type !== 'mysql') {
    const inUtc = {
      postgresql: `${quoted} AT TIME ZONE 'UTC'`,
      hsql: `${quoted} AT TIME ZONE INTERVAL '0:00' HOUR TO MINUTE`,
    }
    return asText(`CAST(${inUtc[type]} AS TIMESTAMP(6))`, { kind: 'timestamp' }, type)
  }
  if (kind === 'binary') {
    return { postgresql: `encode(${quoted}, 'hex')`, mysql: `LOWER(HEX(${quoted}))`, hsql: `RAWTOHEX(${quoted})` }[type]
  }
  if (kind === 'boolean') return `CASE WHEN ${quoted} THEN 'true' WHEN NOT ${quoted} THEN 'false' END`
  return {
    postgresql: `CAST(${quoted} AS TEXT)`,
    mysql: `CAST(${quoted} AS CHAR)`,
    hsql: `CAST(${quoted} AS VARCHAR(16777216))`,
  }[type]
}

function read(text: string, type: ColumnType): unknown {
  switch (type.kind) {
    case 'integer':
    case 'decimal':
      return exactNumber(text)
    case 'double':
      // Converts minus zero to zero.
      return (type.isSingle ? Math.fround(Number(text)) : Number(text)) + 0
    case 'json':
      return JSON.parse(text, (_key, value: unknown) => (typeof value === 'number' ? value + 0 : value))
    case 'boolean':
      // HSQLDB pads both words to the same length.
      return text.trim() === 'true'
    case 'time':
    case 'timestamp':
    case 'instant':
      return text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')
    case 'guid':
    case 'binary':
      return text.toLowerCase()
    default:
      return text
  }
}

function exactNumber(text: string): string {
  const value = readDecimal(text)
  return value ? writeDecimal(value) : text
}
