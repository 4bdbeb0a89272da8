import { inParentheses, quotedText, standard, type Dialect } from '../dialect.ts'
import { utf16Of } from '../names.ts'
import type { ColumnType, Literal, Table } from '../tree.ts'

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
    decimal: { precision: 38, scale: 38 },
    // 7,500 bytes.
    comment: { table: 3750, column: 3750, size: utf16Of },
  },
  textSize: utf16Of,
  actions: ['noAction', 'cascade', 'setNull'],
  allowsCascadePaths: false,
  uniqueIgnoresMissing: false,
  // sqlcmd turns it off, and then no filtered index can be made.
  preamble: () => ['SET QUOTED_IDENTIFIER ON'],
  quote: name => `[${name.replaceAll(']', ']]')}]`,
  typeName,
  identity: 'IDENTITY(1,1)',
  literal,
  defaultValue: value => inParentheses(literal(value), ' + '),
  nullable: ' NULL',
  typeCheck: ({ type }, name) => (type.kind === 'json' ? `ISJSON(${name}) = 1` : null),
  indexSuffix: ({ onlyPresent }, columns) =>
    onlyPresent ? ` WHERE ${columns.map(column => `${column} IS NOT NULL`).join(' AND ')}` : '',
  commentText: text => text.replace(/[\n\t]+/g, ' ').replaceAll('$(', '$ ('),
  comments,
}

function typeName(type: ColumnType): string {
  switch (type.kind) {
    case 'text':
    case 'json':
      return 'NVARCHAR(MAX)'
    case 'varchar':
      return `NVARCHAR(${type.length})`
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

function literal(value: Literal): string {
  switch (value.kind) {
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
  const pieces = text.split(/([\n\r]|\$(?=\())/).filter(piece => piece !== '')
  return pieces
    .map(piece => (/^[\n\r]$/.test(piece) ? `NCHAR(${piece.charCodeAt(0)})` : `N${quotedText(piece)}`))
    .join(' + ')
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
