import { jsonFault } from '@cadmus/model/values/json'
import type { Literal } from '@cadmus/model/values/literal'
import { type DatabaseKind, words } from '../database-kind.ts'
import { byKind, expressionByKind } from '../column-types.ts'
import { type Dialect, doubleQuotes, lengthCheck, quotedText, standard } from '../dialect.ts'
import { located, replaced, splitByPlace, standardWords } from '../condition-sql.ts'
import { charactersOf } from '../names.ts'
import {
  byCode,
  decimalWithin,
  keyInMessage,
  nullsLast,
  type QueryDialect,
  spacedMoment,
  standardQueries,
} from '../queries/dialect.ts'
import type { Column, ColumnType } from '../tree.ts'
import { adaptInnodbRow, isWiderThanPage } from './innodb-row.ts'

/** MySQL 8.0.17 and later, MariaDB 10.2 and later. Every parameter is sent as text, by a prepared statement. */
const queries: QueryDialect = {
  ...standardQueries,
  quote: name => `\`${name.replaceAll('`', '``')}\``,
  bind: expressionByKind(
    {
      integer: placeholder => `CAST(${placeholder} AS SIGNED)`,
      decimal: (placeholder, type) => `CAST(${placeholder} AS ${decimalWithin(type, { precision: 65, scale: 30 })})`,
      double: placeholder => `(${placeholder} + 0E0)`,
      boolean: placeholder => `CAST(${placeholder} AS SIGNED)`,
      date: placeholder => `CAST(${placeholder} AS DATE)`,
      time: placeholder => `CAST(${placeholder} AS TIME(6))`,
      timestamp: placeholder => `CAST(${placeholder} AS DATETIME(6))`,
      instant: placeholder => `CAST(${placeholder} AS DATETIME(6))`,
      binary: placeholder => `UNHEX(${placeholder})`,
    },
    placeholder => placeholder,
  ),
  value: literal => {
    if (typeof literal.value === 'boolean') return literal.value ? '1' : '0'
    return spacedMoment(literal)
  },
  // The length is explicit, as the server would leave no room for the sign of a number.
  read: expressionByKind(
    {
      integer: (column, { bits }) => (bits === 64 ? `CAST(${column} AS CHAR(20))` : column),
      // Otherwise the server writes six digits.
      double: (column, { isSingle }) => (isSingle ? `(${column} + 0E0)` : column),
      decimal: asText,
      date: asText,
      time: asText,
      timestamp: asText,
      instant: asText,
      // Some drivers parse JSON columns.
      json: column => `CONCAT('', ${column})`,
      binary: column => `HEX(${column})`,
    },
    column => column,
  ),
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
  // MySQL 8 also names the table.
  violatedKeyOf: keyInMessage(/.* for key '(.*)'$/s),
}

function asText(column: string): string {
  return `CAST(${column} AS CHAR(70))`
}

/**
 * Case-sensitive, with significant trailing spaces. MySQL and MariaDB each execute only the comment with their own
 * name.
 */
const collation = '/*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */'

/** In the comments of columns that are instants, as MySQL has no type for them without an end. */
export const utcMark = '[UTC]'

/** Columns reserved by InnoDB. */
const innodbColumns = new Set(['db_row_id', 'db_trx_id', 'db_roll_ptr', 'fts_doc_id'])

/** Fast path for folding: ASCII letters have one counterpart each. */
const isAscii = /^[ -~]*$/
const isDevice = /^(?:con|aux|nul|prn|clock\$|com[1-9]|lpt[1-9])$/i

const concat = (texts: readonly string[]) => `CONCAT(${texts.join(', ')})`

/**
 * MySQL 8.0.17 and later, MariaDB 10.2 and later, in any sql_mode: names in backticks, no backslash whose meaning
 * depends on the mode.
 */
const dialect: Dialect = {
  ...standard,
  names: {
    ...standard.names,
    limit: 64,
    size: charactersOf,
    // Names are compared ignoring case.
    fold: name => (isAscii.test(name) ? name.toLowerCase() : Array.from(name, foldedLetter).join('')),
    // Names must not contain supplementary characters, end with a space or resemble files of the server.
    illegal: /[\u{10000}-\u{10ffff}]|(?<!\s)\s+$|^#(?=sql|mysql50#)/gu,
    isReservedColumn: name => innodbColumns.has(name.toLowerCase()),
    // The server renames files of tables named like devices, so that foreign keys do not find them.
    isReservedTable: name => fileNameLength(name) > 200 || isDevice.test(name),
    // The names of the primary key and of InnoDB's own.
    isReservedConstraint: name => /^(?:primary|gen_clust_index)$/i.test(name),
  },
  limits: {
    ...standard.limits,
    varchar: 16_383,
    key: 768,
    index: 768,
    columns: 1017,
    // 64 kB of a table's definition.
    expressions: 62_000,
    names: 65_500,
    keys: 64,
    decimal: { precision: 65, scale: 30 },
    openDecimal: { precision: 65, scale: 27 },
    // Backslashes are doubled, and a server without escapes stores both.
    comment: { table: 2048, column: 1024, size: text => charactersOf(text) + text.split('\\').length - 1 },
  },
  preamble: tables => [
    'SET NAMES utf8mb4',
    ...(tables.some(isWiderThanPage) ? ['SET SESSION innodb_strict_mode = OFF'] : []),
  ],
  quote: name => `\`${doubleQuotes(name, '`')}\``,
  typeName: byKind(
    {
      text: 'LONGTEXT',
      guid: 'CHAR(36) CHARACTER SET ascii COLLATE ascii_general_ci',
      timestamp: 'DATETIME(6)',
      // In UTC: TIMESTAMP ends in 2038.
      instant: 'DATETIME(6)',
      double: ({ isSingle }) => (isSingle ? 'FLOAT' : 'DOUBLE'),
      json: 'JSON',
      binary: 'LONGBLOB',
    },
    standard.typeName,
  ),
  identity: 'AUTO_INCREMENT',
  literal,
  defaultValue,
  computed: {
    instant: '(UTC_TIMESTAMP(6))',
    utc: '(UTC_TIMESTAMP(6))',
    local: 'CURRENT_TIMESTAMP(6)',
    today: '(CURRENT_DATE)',
    uuid: '(UUID())',
  },
  clearsCheckedColumns: false,
  // The server accepts any small number as boolean, durations as time, and incomplete dates.
  typeCheck: expressionByKind<string | null>(
    {
      guid: quoted => `${quoted} REGEXP '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`,
      boolean: quoted => `${quoted} IN (0, 1)`,
      time: quoted => `${quoted} BETWEEN '00:00:00' AND '23:59:59.999999'`,
      date: isComplete,
      timestamp: isComplete,
      instant: isComplete,
    },
    (quoted, type) => lengthCheck(dialect, type, quoted),
  ),
  condition: {
    ...standardWords,
    // A literal may have the letters of another collation.
    ...replaced,
    concat,
    length: standard.condition.length,
    split: splitByPlace({ ...located, concat, length: standard.condition.length }),
    literal: value =>
      value.kind === 'date' || value.kind === 'time' || value.kind === 'timestamp'
        ? standard.literal(value)
        : value.kind === 'instant'
          ? standard.literal({ kind: 'timestamp', value: value.value })
          : literal(value),
  },
  mayBeLenient: true,
  collation,
  // When it alters a table, MariaDB cuts the default of a FLOAT to six digits.
  canStore: ({ kind, value }, type) => {
    if (kind === 'json') return jsonFault(String(value), 31) === undefined
    return kind !== 'number' || type.kind !== 'double' || !type.isSingle || hasSixDigits(Number(value))
  },
  tableSuffix: table => {
    const comment = table.comment === '' ? '' : ` COMMENT=${commentLiteral(table.comment)}`
    return ` ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 ${collation}${comment}`
  },
  // Each statement copies the table.
  addsKeysOneByOne: false,
  columnSuffix: ({ comment }: Column) => (comment === '' ? '' : ` COMMENT ${commentLiteral(comment)}`),
  commentMark: ({ kind }) => (kind === 'instant' ? utcMark : ''),
  commentText: text => text.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'),
  comments: () => [],
  adaptRow: adaptInnodbRow,
}

export const mysql = {
  reserved:
    words(`accessible add all alter analyze and as asc asensitive before between bigint binary blob both by call cascade
    case change char character check collate column condition constraint continue convert create cross cube cume_dist
    current_date current_role current_time current_timestamp current_user cursor database databases day_hour
    day_microsecond day_minute day_second dec decimal declare default delayed delete dense_rank desc describe
    deterministic distinct distinctrow div double drop dual each else elseif empty enclosed escaped except exists exit
    explain false fetch first_value float float4 float8 for force foreign from fulltext function generated get grant
    group grouping groups having high_priority hour_microsecond hour_minute hour_second if ignore in index infile inner
    inout insensitive insert int int1 int2 int3 int4 int8 integer intersect interval into io_after_gtids io_before_gtids
    is iterate join json_table key keys kill lag last_value lateral lead leading leave left like limit linear lines load
    localtime localtimestamp lock long longblob longtext loop low_priority master_bind master_ssl_verify_server_cert
    match maxvalue mediumblob mediumint mediumtext middleint minute_microsecond minute_second mod modifies natural not
    no_write_to_binlog nth_value ntile null numeric of on optimize optimizer_costs option optionally or order out outer
    outfile over partition percent_rank precision primary procedure purge range rank read reads read_write real
    recursive references regexp release rename repeat replace require resignal restrict return returning revoke right
    rlike row rows row_number schema schemas second_microsecond select sensitive separator set show signal smallint
    spatial specific sql sqlexception sqlstate sqlwarning sql_big_result sql_calc_found_rows sql_small_result ssl
    starting stored straight_join system table terminated then tinyblob tinyint tinytext to trailing trigger true undo
    union unique unlock unsigned update usage use using utc_date utc_time utc_timestamp values varbinary varchar
    varcharacter varying virtual when where while window with write xor year_month zerofill`),
  export: dialect,
  read: {
    marks: [
      [8, 'TABLE `', 'EXISTS `', 'ENGINE =', 'AUTO_INCREMENT'],
      [6, '<element> `', 'INTO `', '. `', '<type> MEDIUMTEXT', '<type> LONGTEXT', '<type> MEDIUMINT', 'CHARSET ='],
      [5, '<type> ENUM (', "<type> SET ( ''", 'UNSIGNED', 'ZEROFILL', 'ON UPDATE CURRENT_TIMESTAMP', 'UNIQUE KEY'],
      [4, '<element> KEY <type> * ( *', '<element> INDEX <type> * ( *', '<element> KEY ( *', 'ADD KEY', 'FULLTEXT KEY'],
      [
        4,
        '<type> DATETIME (',
        '<type> INT (',
        '<type> BIGINT (',
        '<type> TINYINT (',
        '<type> SMALLINT (',
        'FOREIGN_KEY_CHECKS',
        'SQL_MODE',
      ],
      [4, '<type> TINYTEXT', '<type> LONGBLOB', '<type> MEDIUMBLOB', '<type> YEAR', 'DISABLE KEYS', 'LOCK TABLES'],
      [3, "COMMENT ''", `COMMENT '"`, `COMMENT = ''`, 'CHARACTER SET', 'DROP FOREIGN KEY', 'RENAME TABLE', 'ADD INDEX'],
      [
        2,
        'SET NAMES',
        'CHANGE COLUMN',
        'MODIFY COLUMN',
        'CHANGE *',
        '<type> DATETIME',
        '<type> DOUBLE',
        '<type> TINYINT',
      ],
      [-6, `TABLE '"`, `<element> '"`, `REFERENCES '"`, `EXISTS '"`],
      [-6, `. '"`, "'$", ':: *'],
    ],
  },
  package: { driver: 'com.mysql.cj.jdbc.Driver', offset: ' LIMIT 18446744073709551615 OFFSET :offset' },
  run: { dialect, queries, isTransactional: false, sharesConstraintNames: false },
} satisfies DatabaseKind

function hasSixDigits(single: number): boolean {
  return Math.fround(Number(single.toPrecision(6))) === single
}

function isComplete(quoted: string): string {
  return `YEAR(${quoted}) * MONTH(${quoted}) * DAY(${quoted}) > 0`
}

/** Columns stored outside the row accept only expressions as defaults, which need parentheses. */
function defaultValue(value: Literal, type: ColumnType): string {
  const text = literal(value)
  const isOutside = type.kind === 'text' || type.kind === 'json' || type.kind === 'binary'
  return isOutside || isExpression.test(text) ? `(${text})` : text
}

function literal(value: Literal): string {
  switch (value.kind) {
    case 'text':
    case 'json':
      return textLiteral(value.value)
    case 'date':
    case 'time':
      return `'${value.value}'`
    case 'timestamp':
    case 'instant':
      return `'${value.value.replace('T', ' ')}'`
    default:
      return standard.literal(value)
  }
}

const isExpression = /^(?:CONCAT|CONVERT)\(/

/**
 * The meaning of a backslash depends on sql_mode: a text with a few is concatenated around them, one with many is
 * written as bytes.
 */
function textLiteral(text: string): string {
  if (!text.includes('\\')) return quotedText(text)
  const pieces = text.split(/(\\)/).filter(piece => piece !== '')
  if (pieces.length > 20) return `CONVERT(X'${hexOf(text)}' USING utf8mb4)`
  return `CONCAT(${pieces.map(piece => (piece === '\\' ? 'CHAR(92 USING utf8mb4)' : quotedText(piece))).join(', ')})`
}

function hexOf(text: string): string {
  return Array.from(new TextEncoder().encode(text), byte => byte.toString(16).padStart(2, '0')).join('')
}

/** A comment must be a single literal: a doubled backslash is safe in all modes, but may be displayed twice. */
function commentLiteral(text: string): string {
  return quotedText(text.replaceAll('\\', '\\\\'))
}

/** MySQL folds an i with a dot above to a plain i. */
function foldedLetter(letter: string): string {
  const folded = letter.toUpperCase().toLowerCase()
  return folded === 'i\u0307' ? 'i' : folded
}

/** The file name of a table encodes every character except ASCII letters, digits and underscore as five characters. */
function fileNameLength(name: string): number {
  let length = 0
  for (const character of name) length += /\w/.test(character) ? 1 : 5
  return length
}
