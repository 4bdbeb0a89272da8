import type { Literal } from '@cadmus/model/values/literal'
import { readDecimal, writeDecimal } from '@cadmus/model/values/number'
import { dialects } from '../dialects.ts'
import type { ColumnType, Table } from '../tree.ts'
import type { Database } from './engines.ts'

// For tests only: what a database made of the defaults of a table, in one shape for all of them.

export type Tried = 'postgresql' | 'mysql' | 'hsql'

/** Puts in a row that gives no value, and reads it: by the name of its column each value that is there. */
export async function storedDefaults(table: Table, type: Tried, database: Database): Promise<Map<string, unknown>> {
  const quote = (name: string) => dialects[type].quote(name)
  const into = quote(table.name)
  await database.execute(`INSERT INTO ${into} ${type === 'mysql' ? '() VALUES ()' : 'DEFAULT VALUES'}`)
  const columns = table.columns.filter(column => column.default !== null || column.nullable)
  const texts = columns.map(
    (column, index) => `${asText(quote(column.name), column.type, type)} AS ${quote(`c${index}`)}`,
  )
  const [row = {}] = await database.query(`SELECT ${texts.join(', ')} FROM ${into}`)
  const found = columns.map((column, index): [string, unknown] => {
    const value = row[`c${index}`]
    return [column.name, typeof value === 'string' ? read(value, column.type) : null]
  })
  return new Map(found.filter(([, value]) => value !== null))
}

/** A value of the model as `storedDefaults` tells it. */
export function writtenAlike({ kind, value }: Literal, type: ColumnType): unknown {
  if (kind === 'boolean') return value
  if (kind === 'timestamp') return read(value.replace('T', ' '), type)
  return read(value, type)
}

function asText(quoted: string, { kind }: ColumnType, type: Tried): string {
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

function read(text: string, { kind }: ColumnType): unknown {
  switch (kind) {
    case 'integer':
    case 'decimal':
      return exactNumber(text)
    case 'double':
      // Minus zero is zero.
      return Number(text) + 0
    case 'json':
      return JSON.parse(text, (_key, value: unknown) => (typeof value === 'number' ? value + 0 : value))
    case 'boolean':
      // HSQLDB makes both words one long.
      return text.trim() === 'true'
    case 'time':
    case 'timestamp':
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
