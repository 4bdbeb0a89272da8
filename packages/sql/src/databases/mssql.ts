import { type Literal, literalText } from '@cadmus/model/values/literal'
import { type DatabaseKind, words } from '../database-kind.ts'
import { byKind, expressionByKind } from '../column-types.ts'
import { type Dialect, doubleQuotes, inLists, inParentheses, lengthCheck, quotedText, standard } from '../dialect.ts'
import { located, splitByPlace, standardWords } from '../condition-sql.ts'
import { utf16Of } from '../names.ts'
import { compose, type Composition, joinParts } from '../pieces.ts'
import {
  byCode,
  decimalWithin,
  keyInMessage,
  nullsLast,
  type QueryDialect,
  standardQueries,
} from '../queries/dialect.ts'
import type { ColumnType, Table } from '../tree.ts'

/** SQL Server 2016 and later. Every parameter is sent as text of any length. */
const queries: QueryDialect = {
  ...standardQueries,
  quote: name => `[${name.replaceAll(']', ']]')}]`,
  placeholder: index => `@p${index}`,
  numbered: true,
  bind: expressionByKind(
    {
      text: placeholder => placeholder,
      json: placeholder => placeholder,
      varchar: placeholder => `CAST(${placeholder} AS NVARCHAR(4000))`,
      binary: placeholder => `CONVERT(VARBINARY(MAX), ${placeholder}, 2)`,
    },
    (placeholder, type) => `CAST(${placeholder} AS ${castOf(type)})`,
  ),
  value: literal => {
    if (typeof literal.value === 'boolean') return literal.value ? '1' : '0'
    return literalText(literal)
  },
  read: expressionByKind(
    {
      guid: column => `LOWER(CONVERT(CHAR(36), ${column}))`,
      integer: (column, { bits }) => (bits === 64 ? `CONVERT(VARCHAR(20), ${column})` : column),
      decimal: column => `CONVERT(VARCHAR(50), ${column})`,
      date: column => `CONVERT(CHAR(10), ${column}, 23)`,
      time: column => `CONVERT(VARCHAR(20), ${column})`,
      timestamp: momentText,
      instant: column => momentText(`CAST(SWITCHOFFSET(${column}, '+00:00') AS DATETIME2(6))`),
    },
    column => column,
  ),
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
  violatedKeyOf: keyInMessage(/^[^(]*(?:constraint|unique index) '(.*?)'\. /),
}

function momentText(timestamp: string): string {
  return `CONVERT(VARCHAR(30), ${timestamp}, 126)`
}

function widened(column: string, type: ColumnType): string {
  return type.kind === 'integer' ? `CAST(${column} AS DECIMAL(38, 0))` : column
}

const castOf = byKind(
  {
    guid: 'UNIQUEIDENTIFIER',
    integer: 'BIGINT',
    decimal: type => decimalWithin(type, { precision: 38, scale: 38 }),
    double: 'FLOAT(53)',
    boolean: 'BIT',
    time: 'TIME(6)',
    timestamp: 'DATETIME2(6)',
    instant: 'DATETIMEOFFSET(6)',
  },
  'DATE',
)

/** Case-sensitive, independent of the database's collation. */
const collation = 'COLLATE Latin1_General_100_BIN2'

/** Bytes in the row of an empty column; texts are stored outside. */
const minSize = byKind<number>(
  {
    integer: ({ bits, digits }) => (digits === undefined ? bits / 8 : 9),
    decimal: 17,
    guid: 16,
    boolean: 1,
    double: 8,
    date: 8,
    time: 8,
    timestamp: 8,
    instant: 10,
  },
  2,
)

const length = (text: string) => `DATALENGTH(${text}) / 2`

/** SQL Server 2016 and later. The script contains nothing special to sqlcmd: no `$(`, no line break inside a text. */
const dialect: Dialect = {
  ...standard,
  names: {
    ...standard.names,
    size: utf16Of,
    // A leading number sign denotes a temporary table.
    illegal: /\$(?=\()|^#+/g,
    // Common collations do not distinguish full-width letters.
    fold: name => name.normalize('NFKC').toLowerCase(),
  },
  limits: {
    ...standard.limits,
    varchar: 4000,
    // 900 bytes of a clustered key, 1,700 of other indexes; two bytes per character.
    key: 450,
    index: 850,
    columns: 1024,
    row: { bytes: 7900, size: minSize },
    decimal: { precision: 38, scale: 38 },
    openDecimal: { precision: 38, scale: 10 },
    // SQL Server limits a comment to 7,500 bytes.
    comment: { table: 3750, column: 3750, size: utf16Of },
  },
  textSize: utf16Of,
  ignoresTrailingSpaces: true,
  actions: ['noAction', 'cascade', 'setNull'],
  allowsCascadePaths: false,
  uniqueIgnores: 'none',
  // sqlcmd disables it, but filtered indexes require it.
  preamble: () => ['SET QUOTED_IDENTIFIER ON'],
  collation,
  quote: name => `[${doubleQuotes(name, ']')}]`,
  typeName: byKind(
    {
      text: `NVARCHAR(MAX) ${collation}`,
      json: `NVARCHAR(MAX) ${collation}`,
      varchar: ({ length, isFixed }) => `${isFixed ? 'NCHAR' : 'NVARCHAR'}(${length}) ${collation}`,
      guid: 'UNIQUEIDENTIFIER',
      integer: type => (type.bits === 32 ? 'INT' : standard.typeName(type)),
      double: ({ isSingle }) => (isSingle ? 'REAL' : 'FLOAT(53)'),
      boolean: 'BIT',
      timestamp: 'DATETIME2(6)',
      instant: 'DATETIMEOFFSET(6)',
      binary: 'VARBINARY(MAX)',
    },
    standard.typeName,
  ),
  identity: 'IDENTITY(1,1)',
  literal,
  defaultValue: value => inParentheses(literal(value), ' +'),
  computed: {
    instant: 'SYSUTCDATETIME()',
    utc: 'SYSUTCDATETIME()',
    local: 'SYSDATETIME()',
    today: 'CAST(SYSUTCDATETIME() AS DATE)',
    uuid: 'NEWID()',
  },
  nullable: ' NULL',
  // FLOAT has no denormalized numbers.
  canStore: ({ kind, value }, type) =>
    !(kind === 'number' && type.kind === 'double') ||
    Number(value) === 0 ||
    Math.abs(Number(value)) >= (type.isSingle ? 1.2e-38 : 2.3e-308),
  // LEN ignores trailing spaces.
  characters: quoted => `DATALENGTH(${quoted}) / 2`,
  typeCheck(name, type) {
    return type.kind === 'json' ? jsonCheck(name) : lengthCheck(this, type, name)
  },
  isOneOf,
  condition: {
    ...standardWords,
    trim: text => `LTRIM(RTRIM(${text}))`,
    concat: texts => texts.join(' + '),
    part: (unit, moment) => `${unit.toUpperCase()}(${moment})`,
    length,
    split: splitByPlace({
      ...located,
      length,
      concat: texts => texts.join(' + '),
      locate: (part, text, start) => `CHARINDEX(${part}, ${text}, ${start})`,
    }),
    literal,
    castsLiterals: true,
    // Equality ignores trailing spaces.
    equalTexts: (left, right) => `${left} = ${right} AND DATALENGTH(${left}) = DATALENGTH(${right})`,
  },
  indexSuffix: ({ onlyPresent }, columns) =>
    onlyPresent ? ` WHERE ${columns.map(column => `${column} IS NOT NULL`).join(' AND ')}` : '',
  adaptRow: table => ({ table, shrunk: [], released: [], tooLong: rowSize(table) > 8060 }),
  commentText: text => text.replace(/[\n\t]+/g, ' ').replaceAll('$(', '$ ('),
  comments,
}

export const mssql = {
  reserved:
    words(`add all alter and any as asc authorization backup begin between break browse bulk by cascade case check
    checkpoint close clustered coalesce collate column commit compute constraint contains containstable continue convert
    create cross current current_date current_time current_timestamp current_user cursor database dbcc deallocate
    declare default delete deny desc disk distinct distributed double drop dump else end errlvl escape except exec
    execute exists exit external fetch file fillfactor for foreign freetext freetexttable from full function goto grant
    group having holdlock identity identity_insert identitycol if in index inner insert intersect into is join key kill
    left like lineno load merge national nocheck nonclustered not null nullif of off offsets on open opendatasource
    openquery openrowset openxml option or order outer over percent pivot plan precision primary print proc procedure
    public raiserror read readtext reconfigure references replication restore restrict return revert revoke right
    rollback rowcount rowguidcol rule save schema securityaudit select semantickeyphrasetable
    semanticsimilaritydetailstable semanticsimilaritytable session_user set setuser shutdown some statistics system_user
    table tablesample textsize then to top tran transaction trigger truncate try_convert tsequal union unique unpivot
    update updatetext use user values varying view waitfor when where while with within writetext`),
  export: dialect,
  read: {
    usualSchema: 'dbo',
    marks: [
      [8, '<start> GO', 'TABLE [', 'EXISTS [', 'ANSI_NULLS', 'QUOTED_IDENTIFIER'],
      [6, '<element> [', '<type> [', '. [', 'SP_ADDEXTENDEDPROPERTY', 'SP_RENAME', '<type> UNIQUEIDENTIFIER'],
      [6, '<type> DATETIME2', '<type> DATETIMEOFFSET', 'IDENTITY ( 0', 'CLUSTERED', 'NONCLUSTERED', '( MAX )'],
      [4, '<type> NVARCHAR', '<type> SMALLDATETIME', '<type> NTEXT', '<type> SMALLMONEY', 'DBO .', 'OBJECT_ID ('],
      [3, "'N'", 'GETDATE (', 'NEWID (', 'WITH CHECK', 'WITH NOCHECK', 'SYSUTCDATETIME (', 'GETUTCDATE ('],
      [2, '<type> DATETIME', '<type> BIT', '<type> IMAGE', 'PRINT', '<start> EXEC', 'ALTER COLUMN * NVARCHAR'],
      [1, '<type> MONEY', 'IDENTITY'],
      [-6, "'$"],
    ],
  },
  package: { driver: 'com.microsoft.sqlserver.jdbc.SQLServerDriver', offset: ' OFFSET :offset ROWS' },
  run: { dialect, queries, isTransactional: true, sharesConstraintNames: true },
} satisfies DatabaseKind

/** Bytes of a filled row with all long texts stored outside. */
function rowSize({ columns }: Table): number {
  return columns.reduce((total, { type }) => {
    const isOutside = type.kind === 'text' || type.kind === 'json' || type.kind === 'binary'
    const outside = type.kind === 'varchar' ? Math.min(type.length * 2, 24) : isOutside ? 24 : 0
    return total + minSize(type) + outside
  }, 0)
}

/** Versions before 2022 check objects and arrays only, so the value is wrapped into each. */
function jsonCheck(name: string): string {
  return `ISJSON(N'[' + ${name} + N']') = 1 AND ISJSON(N'{"v":' + ${name} + N'}') = 1`
}

/** Equality ignores trailing spaces, LIKE and the length in bytes do not. */
function isOneOf(quoted: string, values: readonly Literal[]): string {
  const isPadded = ({ value }: Literal) => String(value).endsWith(' ')
  const plain = values.filter(value => !isPadded(value))
  const conditions = values
    .filter(isPadded)
    .map(value => `${quoted} = ${literal(value)} AND DATALENGTH(${quoted}) = ${String(value.value).length * 2}`)
  if (plain.length === 0) return joinParts(conditions, ' OR ')
  const listed = inLists(dialect, quoted, plain)
  const exactly = plain.some(({ kind }) => kind === 'text') ? `${listed} AND ${quoted} NOT LIKE N'% '` : listed
  return joinParts([exactly, ...conditions], ' OR ')
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
    case 'instant':
      return `'${value.value}+00:00'`
    default:
      return standard.literal(value)
  }
}

function textLiteral(text: string): string {
  if (text === '') return "N''"
  // A concatenation of short literals would be truncated at 4,000 characters.
  const start = text.length > 4000 ? "CAST(N'' AS NVARCHAR(MAX))" : null
  return compose(text, composition, start)
}

const composition: Composition = {
  pattern: /([\n\r]|\$(?=\())/,
  expressions: { '\n': 'NCHAR(10)', '\r': 'NCHAR(13)', $: "N'$'" },
  literal: piece => `N${quotedText(piece)}`,
  operator: ' + ',
}

function comments(this: Pick<Dialect, 'schema'>, table: Table): string[] {
  const schema = this.schema ?? 'dbo'
  const location = `@level0type = N'SCHEMA', @level0name = N${quotedText(schema)}, @level1type = N'TABLE', @level1name = N${quotedText(table.name)}`
  const statements = table.comment === '' ? [] : [`${property(table.comment)}, ${location}`]
  for (const { name, comment } of table.columns) {
    if (comment === '') continue
    statements.push(`${property(comment)}, ${location}, @level2type = N'COLUMN', @level2name = N${quotedText(name)}`)
  }
  return statements
}

function property(comment: string): string {
  return `EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = N${quotedText(comment)}`
}
