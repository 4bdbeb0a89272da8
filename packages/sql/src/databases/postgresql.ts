import { type Literal, literalText } from '@cadmus/model/values/literal'
import { type DatabaseKind, words } from '../database-kind.ts'
import { byKind, expressionByKind } from '../column-types.ts'
import { decimalType, type Dialect, lengthCheck, quotedText, standard } from '../dialect.ts'
import { hasParts, standardWords } from '../condition-sql.ts'
import { bytesOf } from '../names.ts'
import { ofState, property, type QueryDialect, standardQueries } from '../queries/dialect.ts'
import type { Table } from '../tree.ts'

function momentText(timestamp: string): string {
  return `to_char(${timestamp}, 'YYYY-MM-DD"T"HH24:MI:SS.US')`
}

const read = expressionByKind(
  {
    guid: column => `${column}::text`,
    time: column => `${column}::text`,
    json: column => `${column}::text`,
    integer: (column, { bits }) => (bits === 64 ? `${column}::text` : column),
    decimal: column => `trim_scale(${column})::text`,
    date: column => `to_char(${column}, 'YYYY-MM-DD')`,
    timestamp: momentText,
    instant: column => momentText(`${column} AT TIME ZONE 'UTC'`),
    binary: column => `encode(${column}, 'hex')`,
  },
  column => column,
)

const largestNumber = Number.MAX_SAFE_INTEGER

/** Converts to JSON as `wireOf` does. */
const wireValue = expressionByKind(
  {
    integer: (column, { bits }) =>
      bits === 64
        ? `CASE WHEN ${column} BETWEEN ${-largestNumber} AND ${largestNumber} THEN to_json(${column}) ELSE to_json(${column}::text) END`
        : column,
    // JSON has neither infinity nor -0.
    double: (column, { isSingle }) =>
      `CASE WHEN ${column} - ${column} = 0 THEN ${column} + 0${isSingle ? '::real' : ''} END`,
    timestamp: (column, type) => `rtrim(rtrim(${read(column, type)}, '0'), '.')`,
    instant: (column, type) => `rtrim(rtrim(${read(column, type)}, '0'), '.') || 'Z'`,
    json: column => column,
    binary: column => `translate(encode(${column}, 'base64'), E'\\n', '')`,
  },
  read,
)

/** PostgreSQL 13 and later. Every parameter is sent as text. */
const queries: QueryDialect = {
  ...standardQueries,
  placeholder: index => `$${index}`,
  numbered: true,
  bind: (placeholder, type) =>
    type.kind === 'binary' ? `decode(${placeholder}, 'hex')` : `${placeholder}::${castOf(type)}`,
  value: literalText,
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
  sum: (column, type) =>
    type.kind === 'double'
      ? `SUM(${column}${type.isSingle ? '::float8' : ''})`
      : `trim_scale(SUM(${column})::numeric)::text`,
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
    object: select => `(SELECT row_to_json(q.*) FROM (${select}) q)`,
    text: json => `${json}::text`,
    // OFFSET keeps the database from evaluating the text twice.
    atMost: (json, limit) =>
      `(SELECT CASE WHEN octet_length(q.c0) <= ${limit} THEN q.c0 ELSE (1 / (octet_length(q.c0) * 0))::text END FROM (SELECT ${json}::text AS c0 OFFSET 0) q)`,
    objects: select => `(SELECT COALESCE(json_agg(q.*), '[]') FROM (${select}) q)`,
  },
  lockTable: table => `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`,
  returning: 'rows',
  violationOf: error => ofState(property(error, 'code')),
  violatedKeyOf: error => {
    const name = property(error, 'constraint')
    return typeof name === 'string' ? name : undefined
  },
}

const castOf = byKind<string>(
  {
    text: 'text',
    varchar: 'text',
    guid: 'uuid',
    integer: 'bigint',
    decimal: 'numeric',
    double: 'float8',
    json: 'jsonb',
    binary: 'bytea',
    instant: 'timestamptz',
  },
  ({ kind }) => kind,
)

/** Columns that every table has. */
const systemColumns = new Set(['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'])

const length = (text: string) => `CHAR_LENGTH(${text})`

/** PostgreSQL 12 and later; 13 for random UUIDs. */
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
  typeName: byKind(
    {
      text: 'TEXT',
      guid: 'UUID',
      decimal: type => decimalType('NUMERIC', type),
      time: 'TIME',
      timestamp: 'TIMESTAMP',
      instant: 'TIMESTAMP WITH TIME ZONE',
      json: 'JSONB',
      binary: 'BYTEA',
    },
    standard.typeName,
  ),
  literal,
  computed: {
    ...standard.computed,
    utc: "(CURRENT_TIMESTAMP AT TIME ZONE 'UTC')",
    uuid: 'gen_random_uuid()',
  },
  // PostgreSQL also has NaN and infinity, the time 24:00, and years with more than four digits.
  typeCheck: expressionByKind<string | null>(
    {
      double: quoted => `${quoted} - ${quoted} = 0`,
      decimal: quoted => `${quoted} - ${quoted} = 0`,
      integer: (quoted, { digits }) => (digits === undefined ? null : `${quoted} - ${quoted} = 0`),
      time: quoted => `${quoted} < '24:00:00'`,
      date: quoted => `${quoted} BETWEEN '0001-01-01' AND '9999-12-31'`,
      timestamp: quoted => `${quoted} BETWEEN '0001-01-01' AND '9999-12-31 23:59:59.999999'`,
      instant: quoted => `${quoted} BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59.999999+00'`,
    },
    (quoted, type) => lengthCheck(dialect, type, quoted),
  ),
  condition: {
    ...standardWords,
    lower: text => `LOWER(${text} COLLATE "C")`,
    upper: text => `UPPER(${text} COLLATE "C")`,
    trim: text => `BTRIM(${text}, ' ')`,
    exact: number => `CAST(${number} AS NUMERIC)`,
    length,
    split: (text, separator, units, number) =>
      hasParts(text, separator, units, number, length, `split_part(${text}, ${separator}, ${number})`),
    literal: (value, kind) => (kind === 'guid' ? `CAST(${literal(value)} AS UUID)` : literal(value)),
  },
  adaptRow: table => ({ table, shrunk: [], released: [], tooLong: rowSize(table) > 8000 }),
}

/**
 * Collation by code points, so that sorting is the same on all servers and can use an index. A text of fixed length is a VARCHAR, as CHAR
 * would ignore spaces at the end of what it is compared with.
 */
const collated: Dialect = {
  ...dialect,
  typeName: type => {
    if (type.kind === 'varchar') return `VARCHAR(${type.length}) COLLATE "C"`
    return `${dialect.typeName(type)}${type.kind === 'text' ? ' COLLATE "C"' : ''}`
  },
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
    usualSchema: 'public',
    marks: [
      [6, ':: *', "'$", '<type> BIGSERIAL', '<type> SMALLSERIAL', '<type> BYTEA', '<type> JSONB', '<type> TIMESTAMPTZ'],
      [5, 'TABLE ONLY', 'OWNER TO', 'AS ENUM', 'SEARCH_PATH', 'GEN_RANDOM_UUID (', 'CREATE EXTENSION', 'FROM STDIN'],
      [5, 'PARTITION OF', 'ATTACH PARTITION', 'INHERITS (', 'PG_CATALOG .', 'USING GIN', 'USING GIST'],
      [4, '<type> SERIAL', '<type> CITEXT', '<type> INET', '<type> TSVECTOR', 'TEXT [ ]'],
      [4, '<type> CHARACTER VARYING', 'NEXTVAL (', 'RETURNS TRIGGER', 'UUID_GENERATE_V4 (', 'NULLS NOT DISTINCT'],
      [3, '<type> UUID', "'E'", 'ARRAY [', 'WITHOUT TIME ZONE', 'COLUMN * TYPE'],
      [2, 'WITH TIME ZONE', 'CREATE DOMAIN', 'ILIKE', 'IF EXISTS "', 'SET NOT NULL'],
      [1, '<type> TEXT', '<type> BOOLEAN', 'NOW ( )', 'COMMENT ON', '<element> "', 'TABLE "'],
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

const columnSize = byKind<number>(
  {
    boolean: 1,
    integer: ({ bits, digits }) => (digits === undefined ? bits / 8 : 18),
    double: ({ isSingle }) => (isSingle ? 4 : 8),
    date: 8,
    time: 8,
    timestamp: 8,
    instant: 8,
    guid: 16,
    varchar: ({ length }) => Math.min(length * 4 + 1, 18),
  },
  18,
)

/**
 * The meaning of a backslash depends on standard_conforming_strings; E'' literals have the same meaning in both
 * settings.
 */
function literal(value: Literal): string {
  if (value.kind === 'bytes') return `decode('${value.value}', 'hex')`
  if (value.kind === 'instant') return `'${value.value.replace('T', ' ')}+00'`
  if (value.kind !== 'text' && value.kind !== 'json') return standard.literal(value)
  const text = quotedText(value.value)
  return text.includes('\\') ? `E${text.replaceAll('\\', '\\\\')}` : text
}
