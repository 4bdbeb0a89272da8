import type { ColumnType } from '../../tree.ts'
import { decimalWithin, nullsLast, standardQueries, type QueryDialect } from '../dialect.ts'
import { byCode } from '../violations.ts'

/** SQL Server 2016 and later. Every parameter is sent as text of any length. */
export const mssql: QueryDialect = {
  ...standardQueries,
  quote: name => `[${name.replaceAll(']', ']]')}]`,
  placeholder: index => `@p${index}`,
  numbered: true,
  bind,
  value: ({ value }) => (typeof value === 'boolean' ? (value ? '1' : '0') : value),
  read,
  // SQL Server sorts a guid by its last bytes.
  ordered: (value, type) => {
    if (type.kind === 'boolean') return `CAST(${value} AS INT)`
    return type.kind === 'guid' ? `LOWER(CONVERT(CHAR(36), ${value}))` : value
  },
  compare(column, operator, value, type) {
    if (operator === '=' || operator === '<>') return `${column} ${operator} ${value}`
    return `${this.ordered(column, type)} ${operator} ${this.ordered(value, type)}`
  },
  contains: (column, value) => `CHARINDEX(LOWER(${value}), LOWER(${column})) > 0`,
  pattern: text => text.replaceAll('[', '[[]'),
  sum: (column, type) =>
    type.kind === 'double' ? `SUM(${column})` : `CONVERT(VARCHAR(50), SUM(${widened(column, type)}))`,
  orderBy: nullsLast,
  bindPage: placeholder => `(CAST(${placeholder} AS BIGINT))`,
  page: (limit, offset) => `OFFSET ${offset ?? '0'} ROWS FETCH NEXT ${limit} ROWS ONLY`,
  pageOrder: ['offset', 'limit'],
  lock: { table: ' WITH (UPDLOCK, ROWLOCK)', query: '' },
  lockTable: table => `SELECT TOP 1 1 FROM ${table} WITH (TABLOCKX, HOLDLOCK)`,
  returning: 'output',
  violationOf: byCode('number', {
    duplicate: [2601, 2627],
    reference: [547],
    value: [515, 220, 232, 241, 242, 245, 2628, 8114, 8115, 8152],
  }),
}

function widened(column: string, type: ColumnType): string {
  return type.kind === 'integer' ? `CAST(${column} AS DECIMAL(38, 0))` : column
}

function bind(placeholder: string, type: ColumnType): string {
  switch (type.kind) {
    case 'text':
    case 'json':
      return placeholder
    case 'varchar':
      return `CAST(${placeholder} AS NVARCHAR(4000))`
    case 'binary':
      return `CONVERT(VARBINARY(MAX), ${placeholder}, 2)`
    default:
      return `CAST(${placeholder} AS ${castOf(type)})`
  }
}

function castOf(type: ColumnType): string {
  switch (type.kind) {
    case 'guid':
      return 'UNIQUEIDENTIFIER'
    case 'integer':
      return 'BIGINT'
    case 'decimal':
      return decimalWithin(type, { precision: 38, scale: 38 })
    case 'double':
      return 'FLOAT(53)'
    case 'boolean':
      return 'BIT'
    case 'time':
      return 'TIME(6)'
    case 'timestamp':
      return 'DATETIME2(6)'
    default:
      return 'DATE'
  }
}

function read(column: string, type: ColumnType): string {
  switch (type.kind) {
    case 'guid':
      return `LOWER(CONVERT(CHAR(36), ${column}))`
    case 'integer':
      return type.bits === 64 ? `CONVERT(VARCHAR(20), ${column})` : column
    case 'decimal':
      return `CONVERT(VARCHAR(50), ${column})`
    case 'date':
      return `CONVERT(CHAR(10), ${column}, 23)`
    case 'time':
      return `CONVERT(VARCHAR(20), ${column})`
    case 'timestamp':
      return `CONVERT(VARCHAR(30), ${column}, 126)`
    default:
      return column
  }
}
