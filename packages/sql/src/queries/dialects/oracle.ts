import { bytesOfHex } from '@cadmus/model/values/bytes'
import type { Literal } from '@cadmus/model/values/literal'
import type { ColumnType } from '../../tree.ts'
import { standardQueries, type QueryDialect } from '../dialect.ts'
import { byCode } from '../violations.ts'

/** Oracle 12.2 and later. Parameters are sent as text, bytes as they are. */
export const oracle: QueryDialect = {
  ...standardQueries,
  placeholder: index => `:${index}`,
  bind,
  value: sent,
  read,
  // A CLOB can be neither compared nor sorted as a whole.
  ordered: (value, type) => (type.kind === 'text' ? `DBMS_LOB.SUBSTR(${value}, 1000, 1)` : value),
  compare: (column, operator, value, type) =>
    type.kind === 'text' ? `DBMS_LOB.COMPARE(${column}, ${value}) ${operator} 0` : `${column} ${operator} ${value}`,
  contains: (column, value) => `INSTR(LOWER(${column}), LOWER(${value})) > 0`,
  sum: (column, type) => (type.kind === 'double' ? `SUM(${column})` : `TO_CHAR(SUM(${column}), 'TM9')`),
  bindPage: placeholder => `TO_NUMBER(${placeholder})`,
  page: (limit, offset) => `${offset === null ? '' : `OFFSET ${offset} ROWS `}FETCH NEXT ${limit} ROWS ONLY`,
  pageOrder: ['offset', 'limit'],
  dual: ' FROM DUAL',
  locksPages: false,
  lockTable: table => `LOCK TABLE ${table} IN EXCLUSIVE MODE`,
  returning: 'key',
  emptyInsert: first => `(${first}) VALUES (DEFAULT)`,
  session: ["ALTER SESSION SET NLS_NUMERIC_CHARACTERS = '.,'", "ALTER SESSION SET NLS_SORT = 'BINARY'"],
  violationOf: byCode('errorNum', {
    duplicate: [1],
    reference: [2291, 2292],
    value: [1400, 1407, 1438, 1426, 1722, 1830, 1861, 2290, 12899, 1841, 1843, 1847],
  }),
}

function bind(placeholder: string, type: ColumnType): string {
  switch (type.kind) {
    case 'integer':
    case 'decimal':
    case 'boolean':
      return `TO_NUMBER(${placeholder})`
    case 'double':
      return `TO_BINARY_DOUBLE(${placeholder})`
    case 'date':
      return `TO_DATE(${placeholder}, 'YYYY-MM-DD')`
    case 'time':
      return `TO_DSINTERVAL(${placeholder})`
    case 'timestamp':
      return `TO_TIMESTAMP(${placeholder}, 'YYYY-MM-DD"T"HH24:MI:SS.FF6')`
    case 'text':
    case 'json':
      return `TO_CLOB(${placeholder})`
    default:
      return placeholder
  }
}

function sent({ kind, value }: Literal, type: ColumnType): string | Uint8Array {
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (kind === 'bytes') return bytesOfHex(value)
  if (type.kind === 'time') return `0 ${value}`
  return type.kind === 'timestamp' && !value.includes('.') ? `${value}.000000` : value
}

function read(column: string, type: ColumnType): string {
  switch (type.kind) {
    case 'integer':
      return type.bits === 64 ? `TO_CHAR(${column}, 'TM9')` : column
    case 'decimal':
      return `TO_CHAR(${column}, 'TM9')`
    case 'date':
      return `TO_CHAR(${column}, 'YYYY-MM-DD')`
    case 'time':
      return `SUBSTR(TO_CHAR(${column}), 4)`
    case 'timestamp':
      return `TO_CHAR(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.FF6')`
    default:
      return column
  }
}
