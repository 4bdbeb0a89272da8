import type { Literal } from '@cadmus/model/values/literal'
import { words, type DatabaseKind } from '../database-kind.ts'
import { lengthCheck, quotedText, standard, type Dialect } from '../dialect.ts'
import { bytesOf } from '../names.ts'
import { postgresql as queries } from '../queries/dialects/postgresql.ts'
import type { ColumnType, Table } from '../tree.ts'

/** Columns that every table has. */
const systemColumns = new Set(['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'])

/** PostgreSQL 12 and later. */
const dialect: Dialect = {
  ...standard,
  names: {
    ...standard.names,
    limit: 63,
    isReservedColumn: name => systemColumns.has(name),
    // System tables take precedence over tables of a schema.
    isReservedTable: name => name.startsWith('pg_'),
  },
  limits: {
    ...standard.limits,
    varchar: 10_485_760,
    // 2,704 bytes of an index entry, four bytes per character.
    key: 670,
    index: 670,
    columns: 1600,
    decimal: { precision: 1000, scale: 1000 },
  },
  impliedName,
  typeName,
  literal,
  typeCheck,
  adaptRow: table => ({ table, shrunk: [], released: [], tooLong: rowSize(table) > 8000 }),
}

/** Collation by code points, so that sorting is the same on all servers and can use an index. */
const collated: Dialect = {
  ...dialect,
  typeName: type => `${typeName(type)}${type.kind === 'text' || type.kind === 'varchar' ? ' COLLATE "C"' : ''}`,
}

export const postgresql = {
  reserved: words(`all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate
    collation column concurrently constraint create cross current_catalog current_date current_role current_schema
    current_time current_timestamp current_user default deferrable desc distinct do else end except false fetch for
    foreign freeze from full grant group having ilike in initially inner intersect into is isnull join lateral leading
    left like limit localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing
    primary references returning right select session_user similar some symmetric system_user table tablesample then to
    trailing true union unique user using variadic verbose when where window with`),
  export: dialect,
  read: {
    marks: [
      [1, /^-- PostgreSQL database dump|^SELECT pg_catalog\.|^SET (?:statement_timeout|search_path)\b/m],
      [6, /\bSERIAL\b|\bBYTEA\b|\bJSONB\b|\bTIMESTAMPTZ\b|::/i],
    ],
  },
  package: { driver: 'org.postgresql.Driver', offset: ' OFFSET :offset' },
  run: { dialect: collated, queries, isTransactional: true, sharesConstraintNames: true },
} satisfies DatabaseKind

/** Truncates names like the server: the longer one first, byte by byte, without splitting characters. */
function impliedName(table: string, column: string, label: string): string {
  const end = `_${label}`
  const room = dialect.names.limit - end.length - 1
  let [first, second] = [bytesOf(table), bytesOf(column)]
  while (first + second > room) {
    if (first > second) first -= 1
    else second -= 1
  }
  return `${truncate(table, first)}_${truncate(column, second)}${end}`
}

function truncate(name: string, bytes: number): string {
  let room = bytes
  let end = 0
  for (const character of name) {
    room -= bytesOf(character)
    if (room < 0) break
    end += character.length
  }
  return name.slice(0, end)
}

/** Bytes of a filled row with all long texts stored outside. */
function rowSize({ columns }: Table): number {
  return columns.reduce((total, { type }) => total + columnSize(type), 0)
}

function columnSize(type: ColumnType): number {
  switch (type.kind) {
    case 'boolean':
      return 1
    case 'integer':
      return type.bits / 8
    case 'double':
    case 'date':
    case 'time':
    case 'timestamp':
      return 8
    case 'guid':
      return 16
    case 'varchar':
      return Math.min(type.length * 4 + 1, 18)
    default:
      return 18
  }
}

function typeName(type: ColumnType): string {
  switch (type.kind) {
    case 'text':
      return 'TEXT'
    case 'guid':
      return 'UUID'
    case 'decimal':
      return type.precision === null ? 'NUMERIC' : `NUMERIC(${type.precision}, ${type.scale})`
    case 'time':
      return 'TIME'
    case 'timestamp':
      return 'TIMESTAMP'
    case 'json':
      return 'JSONB'
    case 'binary':
      return 'BYTEA'
    default:
      return standard.typeName(type)
  }
}

/** PostgreSQL also has NaN and infinity, the time 24:00, and years with more than four digits. */
function typeCheck(type: ColumnType, quoted: string): string | null {
  switch (type.kind) {
    case 'double':
    case 'decimal':
      return `${quoted} - ${quoted} = 0`
    case 'time':
      return `${quoted} < '24:00:00'`
    case 'date':
      return `${quoted} BETWEEN '0001-01-01' AND '9999-12-31'`
    case 'timestamp':
      return `${quoted} BETWEEN '0001-01-01' AND '9999-12-31 23:59:59.999999'`
    default:
      return lengthCheck(dialect, type, quoted)
  }
}

/**
 * The meaning of a backslash depends on standard_conforming_strings; E'' literals have the same meaning in both
 * settings.
 */
function literal(value: Literal): string {
  if (value.kind === 'bytes') return `decode('${value.value}', 'hex')`
  if (value.kind !== 'text' && value.kind !== 'json') return standard.literal(value)
  const text = quotedText(value.value)
  return text.includes('\\') ? `E${text.replaceAll('\\', '\\\\')}` : text
}
