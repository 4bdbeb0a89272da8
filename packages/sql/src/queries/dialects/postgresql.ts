import type { ColumnType } from '../../tree.ts'
import { standardQueries, type QueryDialect } from '../dialect.ts'
import { ofState, property } from '../violations.ts'

/** PostgreSQL 13 and later. Every parameter is sent as text. */
export const postgresql: QueryDialect = {
  ...standardQueries,
  placeholder: index => `$${index}`,
  numbered: true,
  bind: (placeholder, type) =>
    type.kind === 'binary' ? `decode(${placeholder}, 'hex')` : `${placeholder}::${castOf(type)}`,
  value: literal => String(literal.value),
  read,
  ordered(value, type) {
    if (type.kind === 'text' || type.kind === 'varchar') return `${value} COLLATE "C"`
    if (type.kind === 'boolean') return `${value}::int`
    return type.kind === 'guid' ? `${value}::text` : value
  },
  compare(column, operator, value, type) {
    if (operator === '=' || operator === '<>' || type.kind === 'guid') return `${column} ${operator} ${value}`
    return `${this.ordered(column, type)} ${operator} ${value}`
  },
  contains: (column, value) => `strpos(lower(${column} COLLATE "default"), lower(${value})) > 0`,
  like: (column, value) => `${column} LIKE ${value} ESCAPE ''`,
  sum: (column, type) => (type.kind === 'double' ? `SUM(${column})` : `trim_scale(SUM(${column})::numeric)::text`),
  // The default order of the database and of its indexes.
  orderBy: (value, descending) => `${value}${descending ? ' DESC' : ''}`,
  bindPage: placeholder => `${placeholder}::bigint`,
  json: {
    items: items => `json_build_array(${items.join(', ')})`,
    row: select => `(${select})`,
    rows: select => `(SELECT COALESCE(json_agg(q.c0), '[]') FROM (${select}) q)`,
    listsAsRows: false,
  },
  wire: {
    value: wireValue,
    constant: text => `'${text.replaceAll("'", "''")}'::text`,
    // PostgreSQL truncates longer names, and unpaired surrogates do not survive the encoding.
    fits: name =>
      name !== '' && name.isWellFormed() && !name.includes('\0') && new TextEncoder().encode(name).length <= 63,
    object: select => `(SELECT row_to_json(q) FROM (${select}) q)`,
    text: json => `${json}::text`,
    // OFFSET keeps the database from evaluating the text twice.
    atMost: (json, limit) =>
      `(SELECT CASE WHEN octet_length(q.c0) <= ${limit} THEN q.c0 ELSE (1 / (octet_length(q.c0) * 0))::text END FROM (SELECT ${json}::text AS c0 OFFSET 0) q)`,
    objects: select => `(SELECT COALESCE(json_agg(q), '[]') FROM (${select}) q)`,
  },
  lockTable: table => `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`,
  returning: 'rows',
  violationOf: error => ofState(property(error, 'code')),
}

function castOf(type: ColumnType): string {
  switch (type.kind) {
    case 'text':
    case 'varchar':
      return 'text'
    case 'guid':
      return 'uuid'
    case 'integer':
      return 'bigint'
    case 'decimal':
      return 'numeric'
    case 'double':
      return 'float8'
    case 'json':
      return 'jsonb'
    case 'binary':
      return 'bytea'
    default:
      return type.kind
  }
}

function read(column: string, type: ColumnType): string {
  switch (type.kind) {
    case 'guid':
    case 'time':
    case 'json':
      return `${column}::text`
    case 'integer':
      return type.bits === 64 ? `${column}::text` : column
    case 'decimal':
      return `trim_scale(${column})::text`
    case 'date':
      return `to_char(${column}, 'YYYY-MM-DD')`
    case 'timestamp':
      return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.US')`
    case 'binary':
      return `encode(${column}, 'hex')`
    default:
      return column
  }
}

/** Converts to JSON as `wireOf` does. */
function wireValue(column: string, type: ColumnType): string {
  switch (type.kind) {
    case 'integer':
      return type.bits === 64
        ? `CASE WHEN ${column} BETWEEN ${-largestNumber} AND ${largestNumber} THEN to_json(${column}) ELSE to_json(${column}::text) END`
        : column
    case 'double':
      // JSON has neither infinity nor -0.
      return `CASE WHEN ${column} - ${column} = 0 THEN ${column} + 0 END`
    case 'timestamp':
      return `rtrim(rtrim(${read(column, type)}, '0'), '.')`
    case 'json':
      return column
    case 'binary':
      return `translate(encode(${column}, 'base64'), E'\\n', '')`
    default:
      return read(column, type)
  }
}

const largestNumber = Number.MAX_SAFE_INTEGER
