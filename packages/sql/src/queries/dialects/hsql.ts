import type { ColumnType } from '../../tree.ts'
import { spacedTimestamp, comparedScale, nullsLast, standardQueries, type QueryDialect } from '../dialect.ts'
import { ofState, property } from '../violations.ts'

/** HSQLDB 2.4 and later. Every parameter is sent as text. */
export const hsql: QueryDialect = {
  ...standardQueries,
  bind,
  value: (literal, type) => {
    if (typeof literal.value === 'boolean') return literal.value ? 'true' : 'false'
    return type.kind === 'timestamp' ? spacedTimestamp(literal) : literal.value
  },
  read,
  like: (column, value) => `${column} LIKE ${value}`,
  sum: (column, type) =>
    type.kind === 'double' ? `SUM(${column})` : `CAST(SUM(CAST(${column} AS ${wideDecimal})) AS VARCHAR(2100))`,
  // HSQLDB ignores NULLS FIRST if an index provides the order.
  orderBy: nullsLast,
  dual: ' FROM (VALUES(0))',
  numbersRows: false,
  lock: { table: '', query: '' },
  lastKey: 'CALL IDENTITY()',
  violationOf: error => ofState(property(error, 'code')) ?? ofState(property(error, 'sqlState')),
}

const wideDecimal = 'DECIMAL(110, 50)'

function bind(placeholder: string, type: ColumnType): string {
  return type.kind === 'binary' ? `HEXTORAW(${placeholder})` : `CAST(${placeholder} AS ${castOf(type)})`
}

function castOf(type: ColumnType): string {
  switch (type.kind) {
    case 'integer':
      return 'BIGINT'
    case 'decimal':
      return type.precision === null || type.scale === comparedScale
        ? 'DECIMAL(2000, 1000)'
        : `DECIMAL(${type.precision}, ${type.scale})`
    case 'double':
      return 'DOUBLE'
    case 'time':
      return 'TIME(6)'
    case 'timestamp':
      return 'TIMESTAMP(6)'
    case 'date':
      return 'DATE'
    case 'boolean':
      return 'BOOLEAN'
    case 'guid':
      return 'VARCHAR_IGNORECASE(36)'
    default:
      return 'VARCHAR(16777216)'
  }
}

function read(column: string, type: ColumnType): string {
  switch (type.kind) {
    case 'integer':
      return type.bits === 64 ? `CAST(${column} AS VARCHAR(20))` : column
    case 'decimal':
      return `CAST(${column} AS VARCHAR(2100))`
    case 'time':
      // The hour may have one digit.
      return `RIGHT('0' || CAST(CAST(${column} AS TIME(6)) AS VARCHAR(40)), 15)`
    case 'date':
    case 'timestamp':
      return `CAST(${column} AS VARCHAR(40))`
    case 'binary':
      return `RAWTOHEX(${column})`
    default:
      return column
  }
}
