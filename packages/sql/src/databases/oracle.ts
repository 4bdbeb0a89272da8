import { bytesOfHex } from '@cadmus/model/values/bytes'
import type { Literal } from '@cadmus/model/values/literal'
import { type DatabaseKind, words } from '../database-kind.ts'
import { byKind, expressionByKind } from '../column-types.ts'
import {
  commentStatements,
  decimalType,
  type Dialect,
  inParentheses,
  lengthCheck,
  quotedText,
  standard,
} from '../dialect.ts'
import { splitByPlace, standardWords } from '../condition-sql.ts'
import { bytesOf } from '../names.ts'
import { compose, type Composition } from '../pieces.ts'
import { byCode, keyInMessage, type QueryDialect, standardQueries } from '../queries/dialect.ts'
import type { ColumnType } from '../tree.ts'

/** Oracle 12.2 and later. Parameters are sent as text, bytes as they are. */
const queries: QueryDialect = {
  ...standardQueries,
  placeholder: index => `:${index}`,
  bind: expressionByKind(
    {
      integer: asNumber,
      decimal: asNumber,
      boolean: asNumber,
      double: placeholder => `TO_BINARY_DOUBLE(${placeholder})`,
      date: placeholder => `TO_DATE(${placeholder}, 'YYYY-MM-DD')`,
      time: placeholder => `TO_DSINTERVAL(${placeholder})`,
      timestamp: asMoment,
      instant: placeholder => `FROM_TZ(${asMoment(placeholder)}, 'UTC')`,
      text: placeholder => `TO_CLOB(${placeholder})`,
      json: placeholder => `TO_CLOB(${placeholder})`,
    },
    placeholder => placeholder,
  ),
  value: sent,
  read: expressionByKind(
    {
      integer: (column, { bits }) => (bits === 64 ? `TO_CHAR(${column}, 'TM9')` : column),
      decimal: column => `TO_CHAR(${column}, 'TM9')`,
      date: column => `TO_CHAR(${column}, 'YYYY-MM-DD')`,
      time: column => `SUBSTR(TO_CHAR(${column}), 4)`,
      timestamp: column => `TO_CHAR(${column}, ${momentFormat})`,
      instant: column => `TO_CHAR(SYS_EXTRACT_UTC(${column}), ${momentFormat})`,
    },
    column => column,
  ),
  // A CLOB can be neither compared nor sorted as a whole.
  ordered: (value, type) => (type.kind === 'text' ? `DBMS_LOB.SUBSTR(${value}, 1000, 1)` : value),
  compare: (column, operator, value, type) =>
    type.kind === 'text' ? `DBMS_LOB.COMPARE(${column}, ${value}) ${operator} 0` : `${column} ${operator} ${value}`,
  contains: (column, value) => `INSTR(LOWER(${column}), LOWER(${value})) > 0`,
  sum: (column, type) => (type.kind === 'double' ? `SUM(${asDouble(column, type)})` : `TO_CHAR(SUM(${column}), 'TM9')`),
  bindPage: asNumber,
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
  violatedKeyOf: keyInMessage(/^ORA-00001: unique constraint \([^.)]*\.(.*?)\) violated/),
}

/** Otherwise the sum has the precision of its values. */
function asDouble(column: string, { isSingle }: ColumnType & { kind: 'double' }): string {
  return isSingle ? `TO_BINARY_DOUBLE(${column})` : column
}

const momentFormat = `'YYYY-MM-DD"T"HH24:MI:SS.FF6'`

function asMoment(placeholder: string): string {
  return `TO_TIMESTAMP(${placeholder}, ${momentFormat})`
}

function asNumber(placeholder: string): string {
  return `TO_NUMBER(${placeholder})`
}

function sent({ kind, value }: Literal, type: ColumnType): string | Uint8Array {
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (kind === 'bytes') return bytesOfHex(value)
  if (type.kind === 'time') return `0 ${value}`
  return (type.kind === 'timestamp' || type.kind === 'instant') && !value.includes('.') ? `${value}.000000` : value
}

const length = (text: string) => `LENGTH(${text})`

/**
 * Oracle 12.2 and later. The script contains nothing special to SQL*Plus: no ampersand, no line break inside a text.
 */
const dialect: Dialect = {
  ...standard,
  names: {
    ...standard.names,
    limit: 128,
    illegal: /["&]/g,
    isReservedColumn: name => name === 'ROWID',
  },
  limits: {
    ...standard.limits,
    varchar: 4000,
    // 6,398 bytes in a block of 8 kB, four bytes per character.
    key: 1500,
    index: 1500,
    columns: 1000,
    decimal: { precision: 38, scale: 127 },
    literal: 4000,
    // Quotes are doubled, and the line must not get too long.
    comment: { table: 4000, column: 4000, size: text => bytesOf(quotedText(text)) - 2 },
  },
  actions: ['noAction', 'cascade', 'setNull'],
  actsOnUpdate: false,
  foldsGuids: false,
  hasEmptyText: false,
  uniqueIgnores: 'onlyNulls',
  quote: name => `"${name}"`,
  typeName: byKind(
    {
      varchar: ({ length, isFixed }) => `${isFixed ? 'CHAR' : 'VARCHAR2'}(${length} CHAR)`,
      guid: 'VARCHAR2(36 CHAR)',
      integer: ({ bits, digits }) =>
        digits === undefined ? { 16: 'NUMBER(5)', 32: 'NUMBER(10)', 64: 'NUMBER(19)' }[bits] : `NUMERIC(${digits})`,
      double: ({ isSingle }) => (isSingle ? 'BINARY_FLOAT' : 'BINARY_DOUBLE'),
      decimal: type => decimalType('NUMBER', type),
      boolean: 'NUMBER(1)',
      // A column WITH TIME ZONE cannot be unique.
      instant: 'TIMESTAMP(6) WITH LOCAL TIME ZONE',
      // Oracle has no time of day: an interval since midnight is used.
      time: 'INTERVAL DAY(1) TO SECOND(6)',
    },
    standard.typeName,
  ),
  literal,
  defaultValue: value => inParentheses(literal(value), ' ||'),
  computed: {
    ...standard.computed,
    instant: 'SYSTIMESTAMP',
    utc: 'SYS_EXTRACT_UTC(SYSTIMESTAMP)',
    today: 'TRUNC(SYSDATE)',
    uuid: `LOWER(REGEXP_REPLACE(RAWTOHEX(SYS_GUID()), '(.{8})(.{4})(.{4})(.{4})(.{12})', '\\1-\\2-\\3-\\4-\\5'))`,
  },
  canStore: ({ kind, value }, type) =>
    !(kind === 'number' && type.kind === 'decimal' && type.precision === null) ||
    significantDigits(String(value)) <= 38,
  characters: quoted => `LENGTH(${quoted})`,
  typeCheck: expressionByKind<string | null>(
    {
      boolean: quoted => `${quoted} IN (0, 1)`,
      guid: quoted => `REGEXP_LIKE(${quoted}, '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', 'c')`,
      double: quoted => `${quoted} - ${quoted} = 0`,
      json: quoted => `${quoted} IS JSON`,
    },
    (quoted, type) => lengthCheck(dialect, type, quoted),
  ),
  condition: {
    ...standardWords,
    // Numbers are exact.
    exact: number => number,
    length,
    split: splitByPlace({
      length,
      concat: standardWords.concat,
      locate: (part, text, start) => `INSTR(${text}, ${part}, ${start})`,
      substring: (text, start, units) => `SUBSTR(${text}, ${start}, ${units})`,
    }),
    literal,
    compares: type => type.kind !== 'text',
    hasEmptyText: false,
  },
  inListLimit: 1000,
  indexColumns(index, columns) {
    if (!index.onlyPresent) return standard.indexColumns(index, columns)
    // Rows with nulls only are not in an index.
    const isPresent = columns.map(column => `${column} IS NOT NULL`).join(' AND ')
    return columns.map(column => `CASE WHEN ${isPresent} THEN ${column} END`)
  },
  comments(table) {
    return commentStatements(this, table, quotedText)
  },
  // The full-width ampersand looks the same but does not start a variable.
  commentText: text => text.replace(/[\n\t]+/g, ' ').replaceAll('&', '\uff06'),
}

export const oracle = {
  reserved:
    words(`access add all alter and any as asc audit between by char check cluster column column_value comment compress
    connect create current date decimal default delete desc distinct drop else exclusive exists file float for from
    grant group having identified immediate in increment index initial insert integer intersect into is level like lock
    long maxextents minus mlslabel mode modify nested_table_id noaudit nocompress not nowait null number of offline on
    online option or order pctfree prior public raw rename resource revoke row rowid rownum rows select session set
    share size smallint start successful synonym sysdate table then to trigger uid union unique update user validate
    values varchar varchar2 view whenever where with`),
  export: dialect,
  read: {
    marks: [
      [8, '<type> VARCHAR2', '<type> NVARCHAR2', '<start> /'],
      [6, '<type> NUMBER', '<type> BINARY_DOUBLE', '<type> BINARY_FLOAT', 'SEGMENT CREATION', 'NUMBER GENERATED'],
      [
        5,
        'CASCADE CONSTRAINTS',
        'EDITIONABLE',
        'NULL ENABLE',
        'SYSTIMESTAMP',
        'SYS_GUID (',
        'ALTER SESSION',
        'PCTFREE',
      ],
      [4, '<type> NCLOB', '<type> RAW (', 'SYSDATE', 'LOCAL TIME ZONE', '<type> XMLTYPE', '0 CHAR )', '0 BYTE )'],
      [
        3,
        'INTERVAL DAY (',
        'INTERVAL YEAR (',
        'MODIFY (',

        'SET UNUSED',
        '<start> RENAME * TO',
        'TO_DATE (',
      ],
      [2, '<type> CLOB', 'ADD (', '<type> LONG'],
    ],
    lineCommands: words(`REM REMARK PROMPT SET SPOOL WHENEVER EXIT QUIT CONNECT CONN DISCONNECT DEFINE UNDEFINE COLUMN
      CLEAR SHOW START HOST ACCEPT PAUSE TTITLE BTITLE VARIABLE DESC DESCRIBE`),
  },
  package: { driver: 'oracle.jdbc.driver.OracleDriver', offset: ' OFFSET :offset ROWS' },
  run: { dialect, queries, isTransactional: false, sharesConstraintNames: true },
} satisfies DatabaseKind

function literal(value: Literal): string {
  switch (value.kind) {
    case 'text':
    case 'json':
      return compose(value.value, composition)
    case 'number':
      return numberLiteral(value.value)
    case 'boolean':
      return value.value ? '1' : '0'
    case 'bytes':
      return value.value === '' ? 'EMPTY_BLOB()' : `HEXTORAW('${value.value}')`
    case 'time':
      return `INTERVAL '0 ${value.value}' DAY TO SECOND`
    default:
      return standard.literal(value)
  }
}

const composition: Composition = {
  pattern: /([\n\r&])/,
  expressions: { '\n': 'CHR(10)', '\r': 'CHR(13)', '&': 'CHR(38)' },
  literal: quotedText,
  operator: ' || ',
}

function significantDigits(number: string): number {
  return number.replace(/^-?0?\.?0*|\.|(?<!0)0+$/g, '').length
}

/**
 * NUMBER literals are limited to 1e126. Larger numbers are texts without a decimal separator, because the expected
 * separator depends on the session.
 */
function numberLiteral(text: string): string {
  const size = Math.abs(Number(text))
  const [mantissa = '', exponent] = text.split('e')
  if (exponent === undefined || (size < 1e120 && size > 1e-120)) return text
  const [whole = '', fraction = ''] = mantissa.split('.')
  return `TO_BINARY_DOUBLE('${whole}${fraction}E${Number(exponent) - fraction.length}')`
}
