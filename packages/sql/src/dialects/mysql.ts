import { quotedText, standard, type Dialect } from '../dialect.ts'
import { charactersOf } from '../names.ts'
import type { Column, ColumnType, Literal, Table } from '../tree.ts'
import { fitInnodbRow, isWiderThanPage } from './innodb-row.ts'

/** Columns that InnoDB keeps for itself. */
const innodbColumns = new Set(['db_row_id', 'db_trx_id', 'db_roll_ptr', 'fts_doc_id'])

/** MySQL 8.0.16 and later, MariaDB 10.2 and later, in any sql_mode: names in backticks, no backslash that a mode reads in its own way. */
export const mysql: Dialect = {
  ...standard,
  names: {
    ...standard.names,
    limit: 64,
    size: charactersOf,
    // Names hold no characters beyond the basic plane, end in no space and do not look like the server's own files.
    illegal: /[\u{10000}-\u{10ffff}]|\s+$|^#(?=sql|mysql50#)/gu,
    isTakenColumn: name => innodbColumns.has(name.toLowerCase()),
    isBadTable: name => fileNameLength(name) > 200,
  },
  limits: {
    ...standard.limits,
    varchar: 16_383,
    key: 768,
    index: 768,
    columns: 1017,
    keys: 64,
    decimal: { precision: 65, scale: 30 },
    comment: { table: 2048, column: 1024, size: charactersOf },
  },
  preamble: tables => [
    'SET NAMES utf8mb4',
    ...(tables.some(isWiderThanPage) ? ['SET SESSION innodb_strict_mode = OFF'] : []),
  ],
  quote: name => `\`${name.replaceAll('`', '``')}\``,
  typeName,
  identity: 'AUTO_INCREMENT',
  literal,
  defaultValue,
  typeCheck: ({ type }, name) =>
    type.kind === 'varchar' && type.outOfRow ? `CHAR_LENGTH(${name}) <= ${type.length}` : null,
  tableSuffix: table => {
    const comment = table.comment === '' ? '' : ` COMMENT=${commentLiteral(table.comment)}`
    return ` ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin${comment}`
  },
  // Each statement copies the table.
  addsKeysOneByOne: false,
  columnSuffix: ({ comment }: Column) => (comment === '' ? '' : ` COMMENT ${commentLiteral(comment)}`),
  commentText: text => text.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'),
  comments: () => [],
  fitRow: (table: Table) => fitInnodbRow(table),
}

function typeName(type: ColumnType): string {
  switch (type.kind) {
    case 'text':
      return 'LONGTEXT'
    case 'varchar':
      return type.outOfRow ? 'LONGTEXT' : `VARCHAR(${type.length})`
    case 'guid':
      return 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin'
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

/** What is stored outside the row takes an expression only, and an expression is put in parentheses. */
function defaultValue(value: Literal, type: ColumnType): string {
  const text = literal(value)
  const outside = type.kind === 'text' || type.kind === 'json' || (type.kind === 'varchar' && type.outOfRow)
  return outside || text.startsWith('CONCAT(') ? `(${text})` : text
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

/** Whether a backslash escapes depends on the sql_mode: a text that holds one is put together around it. */
function textLiteral(text: string): string {
  if (!text.includes('\\')) return quotedText(text)
  const pieces = text.split(/(\\)/).filter(piece => piece !== '')
  return `CONCAT(${pieces.map(piece => (piece === '\\' ? 'CHAR(92 USING utf8mb4)' : quotedText(piece))).join(', ')})`
}

/** A comment takes nothing but a quoted text: a doubled backslash ends the text in no mode, at worst it is seen twice. */
function commentLiteral(text: string): string {
  return quotedText(text.replaceAll('\\', '\\\\'))
}

/** A table's name is also its file's, where every character but ASCII letters, digits and the underscore takes five. */
function fileNameLength(name: string): number {
  let length = 0
  for (const character of name) length += /\w/.test(character) ? 1 : 5
  return length
}
