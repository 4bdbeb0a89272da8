import { type Literal, withoutZeros } from '@cadmus/model/values/literal'
import type { DatabaseKind } from '../database-kind.ts'
import { byKind, expressionByKind, rangeOf } from '../column-types.ts'
import { type Dialect, inLists, lengthCheck, quotedText, standard } from '../dialect.ts'
import { standardWords } from '../condition-sql.ts'
import { charactersOf } from '../names.ts'
import { byCode, keyInMessage, type QueryDialect, standardQueries } from '../queries/dialect.ts'
import type { Table } from '../tree.ts'

/** SQLite 3.44 and later, with the functions of `sqlite-functions.ts`. */
const queries: QueryDialect = {
  ...standardQueries,
  placeholder: index => `?${index}`,
  numbered: true,
  bind: (placeholder, type) => (type.kind === 'binary' ? `unhex(${placeholder})` : placeholder),
  value: ({ kind, value }, type) => {
    if (kind === 'number' && type.kind === 'integer') return BigInt(value)
    if (kind === 'number' && type.kind === 'double') return Number(value)
    return typeof value === 'boolean' ? Number(value) : value
  },
  read: (column, type) => {
    if (type.kind === 'integer' && type.bits === 64) return `CAST(${column} AS TEXT)`
    // hex() returns an empty text both for empty bytes and for null.
    return type.kind === 'binary' ? `iif(${column} IS NULL, NULL, hex(${column}))` : column
  },
  ordered: (value, type) => (type.kind === 'decimal' ? `cadmus_key(${value})` : value),
  unordered: (value, type) => (type.kind === 'decimal' ? `cadmus_number(${value})` : value),
  compare(column, operator, value, type) {
    if (operator === '=' || operator === '<>') return `${column} ${operator} ${value}`
    return `${this.ordered(column, type)} ${operator} ${this.ordered(value, type)}`
  },
  contains: (column, value) => `instr(cadmus_fold(${column}), cadmus_fold(${value})) > 0`,
  // LIKE ignores case.
  like: (column, value) => `${column} GLOB ${value}`,
  pattern: text => text.replace(/[*?[]/g, '[$&]').replaceAll('%', '*').replaceAll('_', '?'),
  sum: (column, type) => (type.kind === 'double' ? `sum(${column})` : `cadmus_sum(CAST(${column} AS TEXT))`),
  json: {
    items: items => `json_array(${items.join(', ')})`,
    row: select => `json((${select}))`,
    rows: select => `(SELECT json_group_array(json(q.c0)) FROM (${select}) q)`,
    listsAsRows: true,
  },
  lock: { table: '', query: '' },
  returning: 'rows',
  session: ['PRAGMA foreign_keys = ON'],
  // Extended result codes of constraints, and of texts that are too long.
  violationOf: byCode('errcode', {
    duplicate: [1555, 2067, 2579],
    reference: [787, 1811],
    value: [275, 1299, 3091, 18, 20],
  }),
  violatedKeyOf: keyInMessage(/^UNIQUE constraint failed: (?:index ')?(.*?)'?$/s),
}

/** Names of SQLite's own tables and indexes. */
const isOwn = (name: string) => /^sqlite_/i.test(name)

/** In UTC. Equal times must have equal texts. */
const moment = "(rtrim(rtrim(strftime('%Y-%m-%dT%H:%M:%f', 'now'), '0'), '.'))"

const randomUuid =
  "(lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' || " +
  "substr('89AB', (random() & 3) + 1, 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))))"

/**
 * SQLite 3.44 and later, for instances only. Exact decimals are texts, compared by functions registered on the
 * connection (`queries/sqlite-functions.ts`); dates and times are ISO 8601, which sorts correctly.
 */
const dialect: Dialect = {
  ...standard,
  names: { ...standard.names, limit: 250, size: charactersOf, isReservedTable: isOwn, isReservedConstraint: isOwn },
  limits: { ...standard.limits, columns: 1999, decimal: { precision: 1000, scale: 1000 } },
  foreignKeysInTable: true,
  hasSingle: false,
  typeName: byKind({ integer: 'INTEGER', boolean: 'INTEGER', double: 'REAL', binary: 'BLOB' }, 'TEXT'),
  identity: 'PRIMARY KEY AUTOINCREMENT',
  literal,
  // Decimals are stored as text to keep all digits.
  defaultValue: (value, type) => (type.kind === 'decimal' ? quotedText(String(value.value)) : literal(value)),
  computed: { instant: moment, utc: moment, local: moment, today: "(date('now'))", uuid: randomUuid },
  characters: quoted => `length(${quoted})`,
  // SQLite has few types, so lengths, ranges and JSON are checked.
  typeCheck: expressionByKind<string | null>(
    {
      varchar: (quoted, type) => lengthCheck(dialect, type, quoted) ?? `length(${quoted}) <= ${type.length}`,
      boolean: quoted => `${quoted} IN (0, 1)`,
      integer(quoted, type) {
        const { least, largest } = rangeOf(type)
        return type.bits === 64 && type.digits === undefined ? null : `${quoted} BETWEEN ${least} AND ${largest}`
      },
      // Equal numbers must have equal texts.
      decimal: (quoted, { precision, isWhole }) => {
        const digits = `ltrim(${quoted}, '-')`
        const isWritten = `${digits} GLOB '[1-9]*' AND ${digits} NOT GLOB '*[^0-9]*' AND ${quoted} NOT GLOB '--*'`
        return isWhole ? `${quoted} = '0' OR ${isWritten} AND length(${digits}) <= ${precision}` : null
      },
      json: quoted => `json_valid(${quoted})`,
    },
    (quoted, type) => lengthCheck(dialect, type, quoted),
  ),
  // The column converts a text to its own type, whereas a number would be rounded first.
  isOneOf: (quoted, values) => inLists({ inListLimit: 1000, literal: textOfNumber }, quoted, values),
  condition: {
    ...standardWords,
    lower: text => `lower(${text})`,
    upper: text => `upper(${text})`,
    part: (unit, moment) => `CAST(substr(${moment}, ${dateParts[unit]}) AS INTEGER)`,
    // Integers beyond 64 bits become inexact.
    exact: (number, whole, scale) => (scale === 0 && whole <= 18 ? number : null),
    length: text => `length(${text})`,
    split: (text, separator, units, number) =>
      `(WITH RECURSIVE cadmus_parts(n, part, rest) AS (SELECT 0, NULL, ${text} || ${separator} UNION ALL ` +
      `SELECT n + 1, substr(rest, 1, instr(rest, ${separator}) - 1), substr(rest, instr(rest, ${separator}) + ${units}) ` +
      `FROM cadmus_parts WHERE n < ${number} AND rest <> '') SELECT part FROM cadmus_parts WHERE n = ${number})`,
    literal,
    // Decimals are texts.
    compares: type => type.kind !== 'decimal',
    evaluated: (condition, values) => {
      // JSON would round numbers.
      const exact = values.map(({ text, type }) =>
        type.kind === 'double' ? `iif(${text} IS NULL, NULL, format('%!.17g', ${text}))` : `CAST(${text} AS TEXT)`,
      )
      return `cadmus_meets(json_array(json(${quotedText(condition)}), ${exact.join(', ')})) = '1'`
    },
  },
  tableSuffix: () => ' STRICT',
  comments: () => [],
  adaptRow: table => ({ table: withInlineKey(table), shrunk: [], released: [], tooLong: false }),
}

const dateParts = { year: '1, 4', month: '6, 2', day: '9, 2' } as const

export const sqlite = {
  run: { dialect, queries, isTransactional: true, sharesConstraintNames: false },
} satisfies DatabaseKind

function literal(value: Literal): string {
  switch (value.kind) {
    case 'boolean':
      return value.value ? '1' : '0'
    case 'number':
    case 'bytes':
      return standard.literal(value)
    case 'time':
    case 'timestamp':
    case 'instant':
      // Equal times must have equal texts.
      return quotedText(String(withoutZeros(value).value))
    default:
      return quotedText(value.value)
  }
}

function textOfNumber(value: Literal): string {
  return value.kind === 'number' ? quotedText(value.value) : literal(value)
}

/** A generated key must be declared as primary key in the column itself. */
function withInlineKey(table: Table): Table {
  return table.columns.some(({ identity }) => identity) ? { ...table, primaryKey: null } : table
}
