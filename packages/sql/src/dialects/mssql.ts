import type { Literal } from '@cadmus/model/values/literal'
import { doubled, inLists, inParentheses, lengthCheck, quotedText, standard, type Dialect } from '../dialect.ts'
import { utf16Of } from '../names.ts'
import { composed, joined, type Composition } from '../pieces.ts'
import type { ColumnType, Table } from '../tree.ts'

/** Letters are told apart by their case, as everywhere else, whatever the database's own collation is. */
const collation = 'Latin1_General_100_BIN2'

/** SQL Server 2016 and later. Nothing in the script means something to sqlcmd: no `$(`, no line break inside a text. */
export const mssql: Dialect = {
  ...standard,
  names: {
    ...standard.names,
    size: utf16Of,
    // A first number sign would make a temporary table.
    illegal: /\$(?=\()|^#+/g,
    // The usual collations do not tell a wide or full letter from a narrow one.
    fold: name => name.normalize('NFKC').toLowerCase(),
  },
  limits: {
    ...standard.limits,
    varchar: 4000,
    // 900 bytes of a clustered key, 1,700 of another index, two for a character.
    key: 450,
    index: 850,
    columns: 1024,
    row: { bytes: 7900, size: leastSize },
    decimal: { precision: 38, scale: 38 },
    openDecimal: { precision: 38, scale: 10 },
    // 7,500 bytes.
    comment: { table: 3750, column: 3750, size: utf16Of },
  },
  textSize: utf16Of,
  ignoresTrailingBlanks: true,
  actions: ['noAction', 'cascade', 'setNull'],
  allowsCascadePaths: false,
  uniqueIgnoresMissing: false,
  // sqlcmd turns it off, and then no filtered index can be made.
  preamble: () => ['SET QUOTED_IDENTIFIER ON'],
  quote: name => `[${doubled(name, ']')}]`,
  typeName,
  identity: 'IDENTITY(1,1)',
  literal,
  defaultValue: value => inParentheses(literal(value), ' +'),
  nullable: ' NULL',
  // A float is zero or no smaller than the smallest normal number.
  holds: ({ kind, value }, type) =>
    !(kind === 'number' && type.kind === 'double') || Number(value) === 0 || Math.abs(Number(value)) >= 2.3e-308,
  // LEN leaves out trailing blanks.
  characters: quoted => `DATALENGTH(${quoted}) / 2`,
  typeCheck(type, name) {
    return type.kind === 'json' ? jsonCheck(name) : lengthCheck(this, type, name)
  },
  isOneOf,
  indexSuffix: ({ onlyPresent }, columns) =>
    onlyPresent ? ` WHERE ${columns.map(column => `${column} IS NOT NULL`).join(' AND ')}` : '',
  fitRow: table => ({ table, shrunk: [], released: [], tooLong: rowSize(table) > 8060 }),
  commentText: text => text.replace(/[\n\t]+/g, ' ').replaceAll('$(', '$ ('),
  comments,
}

/** Bytes within the row of a column without a value; texts leave it. */
function leastSize(type: ColumnType): number {
  switch (type.kind) {
    case 'integer':
      return type.bits / 8
    case 'decimal':
      return 17
    case 'guid':
      return 16
    case 'boolean':
      return 1
    case 'double':
    case 'date':
    case 'time':
    case 'timestamp':
      return 8
    default:
      return 2
  }
}

/** Bytes of a filled row whose long texts are all outside of it. */
function rowSize({ columns }: Table): number {
  return columns.reduce((total, { type }) => {
    const isOutside = type.kind === 'text' || type.kind === 'json' || type.kind === 'binary'
    const outside = type.kind === 'varchar' ? Math.min(type.length * 2, 24) : isOutside ? 24 : 0
    return total + leastSize(type) + outside
  }, 0)
}

function typeName(type: ColumnType): string {
  switch (type.kind) {
    case 'text':
    case 'json':
      return `NVARCHAR(MAX) COLLATE ${collation}`
    case 'varchar':
      return `NVARCHAR(${type.length}) COLLATE ${collation}`
    case 'guid':
      return 'UNIQUEIDENTIFIER'
    case 'integer':
      return type.bits === 32 ? 'INT' : standard.typeName(type)
    case 'double':
      return 'FLOAT(53)'
    case 'boolean':
      return 'BIT'
    case 'timestamp':
      return 'DATETIME2(6)'
    case 'binary':
      return 'VARBINARY(MAX)'
    default:
      return standard.typeName(type)
  }
}

/** Versions before 2022 know objects and lists only: a value is one where it makes one member of each. */
function jsonCheck(name: string): string {
  return `ISJSON(N'[' + ${name} + N']') = 1 AND ISJSON(N'{"v":' + ${name} + N'}') = 1`
}

/** Equality leaves out blanks at the end, LIKE and a length in bytes do not. */
function isOneOf(quoted: string, values: readonly Literal[]): string {
  const isPadded = ({ value }: Literal) => String(value).endsWith(' ')
  const plain = values.filter(value => !isPadded(value))
  const conditions = values
    .filter(isPadded)
    .map(value => `${quoted} = ${literal(value)} AND DATALENGTH(${quoted}) = ${String(value.value).length * 2}`)
  if (plain.length === 0) return joined(conditions, ' OR ')
  const listed = inLists(mssql, quoted, plain)
  const exactly = plain.some(({ kind }) => kind === 'text') ? `${listed} AND ${quoted} NOT LIKE N'% '` : listed
  return joined([exactly, ...conditions], ' OR ')
}

function literal(value: Literal): string {
  switch (value.kind) {
    case 'bytes':
      return `0x${value.value}`
    case 'text':
    case 'json':
      return textLiteral(value.value)
    case 'boolean':
      return value.value ? '1' : '0'
    case 'date':
    case 'time':
    case 'timestamp':
      return `'${value.value}'`
    default:
      return standard.literal(value)
  }
}

function textLiteral(text: string): string {
  if (text === '') return "N''"
  // What is put together of short texts would end after 4,000 characters.
  const start = text.length > 4000 ? "CAST(N'' AS NVARCHAR(MAX))" : null
  return composed(text, composition, start)
}

const composition: Composition = {
  pattern: /([\n\r]|\$(?=\())/,
  written: { '\n': 'NCHAR(10)', '\r': 'NCHAR(13)', $: "N'$'" },
  literal: piece => `N${quotedText(piece)}`,
  operator: ' + ',
}

function comments(table: Table): string[] {
  const place = `@level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N${quotedText(table.name)}`
  const statements = table.comment === '' ? [] : [`${property(table.comment)}, ${place}`]
  for (const { name, comment } of table.columns) {
    if (comment === '') continue
    statements.push(`${property(comment)}, ${place}, @level2type = N'COLUMN', @level2name = N${quotedText(name)}`)
  }
  return statements
}

function property(comment: string): string {
  return `EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = N${quotedText(comment)}`
}
