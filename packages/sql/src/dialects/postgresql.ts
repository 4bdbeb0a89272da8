import { quotedText, standard, type Dialect } from '../dialect.ts'
import type { ColumnType, Literal } from '../tree.ts'

/** Columns that every table has of itself. */
const systemColumns = new Set(['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'])

/** PostgreSQL 12 and later. */
export const postgresql: Dialect = {
  ...standard,
  names: {
    ...standard.names,
    limit: 63,
    isTakenColumn: name => systemColumns.has(name),
    // The system's own tables are found before those of a schema.
    isBadTable: name => name.startsWith('pg_'),
  },
  limits: {
    ...standard.limits,
    varchar: 10_485_760,
    columns: 1600,
    decimal: { precision: 1000, scale: 1000 },
  },
  typeName,
  literal,
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

/** A backslash is a plain character only while standard_conforming_strings is on; the E form means the same in both settings. */
function literal(value: Literal): string {
  if (value.kind !== 'text' && value.kind !== 'json') return standard.literal(value)
  const text = quotedText(value.value)
  return text.includes('\\') ? `E${text.replaceAll('\\', '\\\\')}` : text
}
