import type { Literal } from '@cadmus/model/values/literal'
import { jsonFault } from '@cadmus/model/values/json'
import { doubled, lengthCheck, quotedText, standard, type Dialect } from '../dialect.ts'
import { charactersOf } from '../names.ts'
import type { Column, ColumnType } from '../tree.ts'
import { fitInnodbRow, isWiderThanPage } from './innodb-row.ts'

/** Every character counts, the case of a letter and a trailing blank too. Each server reads its own name of that and no other's. */
const collation = '/*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */'

/** Columns that InnoDB keeps for itself. */
const innodbColumns = new Set(['db_row_id', 'db_trx_id', 'db_roll_ptr', 'fts_doc_id'])

/** Of these each letter has one other: a name of no others is folded at once. */
const isAscii = /^[ -~]*$/
const isDevice = /^(?:con|aux|nul|prn|clock\$|com[1-9]|lpt[1-9])$/i

/** MySQL 8.0.17 and later, MariaDB 10.2 and later, in any sql_mode: names in backticks, no backslash that a mode reads in its own way. */
export const mysql: Dialect = {
  ...standard,
  names: {
    ...standard.names,
    limit: 64,
    size: charactersOf,
    // Letters are one where they are in capitals or in small ones.
    fold: name => (isAscii.test(name) ? name.toLowerCase() : Array.from(name, foldedLetter).join('')),
    // Names hold no characters beyond the basic plane, end in no space and do not look like the server's own files.
    illegal: /[\u{10000}-\u{10ffff}]|(?<!\s)\s+$|^#(?=sql|mysql50#)/gu,
    isTakenColumn: name => innodbColumns.has(name.toLowerCase()),
    // A foreign key finds no table that is named as a device: the server gives its file another name.
    isBadTable: name => fileNameLength(name) > 200 || isDevice.test(name),
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
    // A backslash is written twice, and read as two where it escapes nothing.
    comment: { table: 2048, column: 1024, size: text => charactersOf(text) + text.split('\\').length - 1 },
  },
  preamble: tables => [
    'SET NAMES utf8mb4',
    ...(tables.some(isWiderThanPage) ? ['SET SESSION innodb_strict_mode = OFF'] : []),
  ],
  quote: name => `\`${doubled(name, '`')}\``,
  typeName,
  identity: 'AUTO_INCREMENT',
  literal,
  defaultValue,
  clearsCheckedColumns: false,
  typeCheck,
  mayBeLenient: true,
  holds: ({ kind, value }) => kind !== 'json' || jsonFault(String(value), 31) === undefined,
  tableSuffix: table => {
    const comment = table.comment === '' ? '' : ` COMMENT=${commentLiteral(table.comment)}`
    return ` ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 ${collation}${comment}`
  },
  // Each statement copies the table.
  addsKeysOneByOne: false,
  columnSuffix: ({ comment }: Column) => (comment === '' ? '' : ` COMMENT ${commentLiteral(comment)}`),
  commentText: text => text.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'),
  comments: () => [],
  fitRow: fitInnodbRow,
}

function typeName(type: ColumnType): string {
  switch (type.kind) {
    case 'text':
      return 'LONGTEXT'
    case 'varchar':
      return `VARCHAR(${type.length})`
    case 'guid':
      return 'CHAR(36) CHARACTER SET ascii COLLATE ascii_general_ci'
    case 'timestamp':
      return 'DATETIME(6)'
    case 'double':
      return 'DOUBLE'
    case 'json':
      return 'JSON'
    case 'binary':
      return 'LONGBLOB'
    default:
      return standard.typeName(type)
  }
}

/** The server takes any small number for a boolean, durations for a time and dates without a day. */
function typeCheck(type: ColumnType, quoted: string): string | null {
  switch (type.kind) {
    case 'guid':
      return `${quoted} REGEXP '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`
    case 'boolean':
      return `${quoted} IN (0, 1)`
    case 'time':
      return `${quoted} BETWEEN '00:00:00' AND '23:59:59.999999'`
    case 'date':
    case 'timestamp':
      return `YEAR(${quoted}) * MONTH(${quoted}) * DAY(${quoted}) > 0`
    default:
      return lengthCheck(mysql, type, quoted)
  }
}

/** What is stored outside the row takes an expression only, and an expression is put in parentheses. */
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
      return `'${value.value.replace('T', ' ')}'`
    default:
      return standard.literal(value)
  }
}

const isExpression = /^(?:CONCAT|CONVERT)\(/

/** Whether a backslash escapes depends on the sql_mode: a text that holds one is put together around it, one that holds many is bytes. */
function textLiteral(text: string): string {
  if (!text.includes('\\')) return quotedText(text)
  const pieces = text.split(/(\\)/).filter(piece => piece !== '')
  if (pieces.length > 20) return `CONVERT(X'${hexOf(text)}' USING utf8mb4)`
  return `CONCAT(${pieces.map(piece => (piece === '\\' ? 'CHAR(92 USING utf8mb4)' : quotedText(piece))).join(', ')})`
}

function hexOf(text: string): string {
  return Array.from(new TextEncoder().encode(text), byte => byte.toString(16).padStart(2, '0')).join('')
}

/** A comment takes nothing but a quoted text: a doubled backslash ends the text in no mode, at worst it is seen twice. */
function commentLiteral(text: string): string {
  return quotedText(text.replaceAll('\\', '\\\\'))
}

/** A letter with its dot above is the plain one to the server. */
function foldedLetter(letter: string): string {
  const folded = letter.toUpperCase().toLowerCase()
  return folded === 'i\u0307' ? 'i' : folded
}

/** A table's name is also its file's, where every character but ASCII letters, digits and the underscore takes five. */
function fileNameLength(name: string): number {
  let length = 0
  for (const character of name) length += /\w/.test(character) ? 1 : 5
  return length
}
