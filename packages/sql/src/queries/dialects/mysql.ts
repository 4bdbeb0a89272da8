import type { ColumnType } from '../../tree.ts'
import { spacedTimestamp, decimalWithin, nullsLast, standardQueries, type QueryDialect } from '../dialect.ts'
import { byCode } from '../violations.ts'

/** MySQL 8.0.17 and later, MariaDB 10.2 and later. Every parameter is sent as text, by a prepared statement. */
export const mysql: QueryDialect = {
  ...standardQueries,
  quote: name => `\`${name.replaceAll('`', '``')}\``,
  bind,
  value: (literal, type) => {
    if (typeof literal.value === 'boolean') return literal.value ? '1' : '0'
    return type.kind === 'timestamp' ? spacedTimestamp(literal) : literal.value
  },
  read,
  // With ESCAPE '' a backslash still escapes, and its notation depends on sql_mode.
  like: (column, value) => `${column} LIKE ${value} ESCAPE '!'`,
  pattern: text => text.replaceAll('!', '!!'),
  sum: (column, type) => (type.kind === 'double' ? `SUM(${column})` : `CAST(SUM(${column}) AS CHAR(70))`),
  orderBy: nullsLast,
  lastKey: 'SELECT CAST(LAST_INSERT_ID() AS CHAR(20))',
  emptyInsert: () => '() VALUES ()',
  session: ["SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE'", 'SET NAMES utf8mb4'],
  violationOf: byCode('errno', {
    duplicate: [1062, 1586],
    reference: [1451, 1452, 1216, 1217],
    value: [1048, 1264, 1265, 1292, 1366, 1364, 1406, 1411, 1690, 3140, 3819, 4025, 1118, 1301],
  }),
}

function bind(placeholder: string, type: ColumnType): string {
  switch (type.kind) {
    case 'integer':
      return `CAST(${placeholder} AS SIGNED)`
    case 'decimal':
      return `CAST(${placeholder} AS ${decimalWithin(type, { precision: 65, scale: 30 })})`
    case 'double':
      return `(${placeholder} + 0E0)`
    case 'boolean':
      return `CAST(${placeholder} AS SIGNED)`
    case 'date':
      return `CAST(${placeholder} AS DATE)`
    case 'time':
      return `CAST(${placeholder} AS TIME(6))`
    case 'timestamp':
      return `CAST(${placeholder} AS DATETIME(6))`
    case 'binary':
      return `UNHEX(${placeholder})`
    default:
      return placeholder
  }
}

/** The length is explicit, as the server would leave no room for the sign of a number. */
function read(column: string, type: ColumnType): string {
  switch (type.kind) {
    case 'integer':
      return type.bits === 64 ? `CAST(${column} AS CHAR(20))` : column
    case 'decimal':
    case 'date':
    case 'time':
    case 'timestamp':
      return `CAST(${column} AS CHAR(70))`
    case 'json':
      // Some drivers parse JSON columns.
      return `CONCAT('', ${column})`
    case 'binary':
      return `HEX(${column})`
    default:
      return column
  }
}
