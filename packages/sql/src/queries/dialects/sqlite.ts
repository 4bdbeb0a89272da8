import { standardQueries, type QueryDialect } from '../dialect.ts'
import { byCode } from '../violations.ts'

/** SQLite 3.44 and later, with the functions of `sqlite-functions.ts`. */
export const sqlite: QueryDialect = {
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
}
