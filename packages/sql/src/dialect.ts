import type { Computed } from '@cadmus/model/values/computed'
import { type ConditionWords, located, splitByPlace, standardWords } from './condition-sql.ts'
import type { Literal } from '@cadmus/model/values/literal'
import { shortestOfSingle } from '@cadmus/model/values/number'
import { bytesOf, charactersOf, type NameRules } from './names.ts'
import { joinParts } from './pieces.ts'
import type { Column, ColumnType, Index, ReferentialAction, Table } from './tree.ts'

/** Limits for adapting a schema; null: no relevant limit. */
export type DialectLimits = {
  /** Characters of a VARCHAR; longer strings become text. */
  varchar: number | null
  /** Total characters of the strings in a primary key or unique constraint. */
  key: number | null
  index: number | null
  columns: number
  /** Bytes of the narrowest row of a table, and the minimum size of a column. */
  row: { bytes: number; size(type: ColumnType): number } | null
  /** Bytes of a table's stored definition. */
  expressions: number | null
  names: number | null
  /** Keys and indexes of a table; a foreign key without an index counts as one. */
  keys: number | null
  decimal: { precision: number; scale: number }
  /** The type of a decimal without precision; null: unlimited. */
  openDecimal: { precision: number; scale: number } | null
  /** Bytes in UTF-8 of a text literal. */
  literal: number | null
  /** Length of comments, in the unit of `size`. */
  comment: { table: number; column: number; size(text: string): number } | null
}

/** The SQL of a database: the standard's, overridden by its file in `databases/`. */
export type Dialect = {
  names: NameRules
  limits: DialectLimits
  /** The length of a text as counted by VARCHAR. */
  textSize(text: string): number
  /** Whether checks count characters although VARCHAR counts another unit. */
  checksCharacters: boolean
  /** Whether the JSON type rejects other texts. */
  checksJson: boolean
  /** Whether columns have single precision; else they store the same numbers in double precision. */
  hasSingle: boolean
  /** Whether guids are compared without regard to case; else only lower case is accepted. */
  foldsGuids: boolean
  /** Whether a server setting can make the database change unfitting values instead of rejecting them. */
  mayBeLenient: boolean
  /** Whether unique constraints ignore trailing spaces. */
  ignoresTrailingSpaces: boolean
  /** Supported ON DELETE actions; others become noAction. */
  actions: readonly ReferentialAction[]
  /** Whether foreign keys act on a change of the key that they refer to. */
  actsOnUpdate: boolean
  /** Whether cascading deletes may reach a row by several paths. */
  allowsCascadePaths: boolean
  /** Whether ON DELETE SET NULL is allowed for a column with a check. */
  clearsCheckedColumns: boolean
  /** Whether all columns of a foreign key have the length of those that they refer to, where keys limit it. */
  sharesPairLengths: boolean
  /**
   * The rows that a unique constraint ignores: those with a null in any of its columns, as in the model, those with nulls
   * only, or none.
   */
  uniqueIgnores: 'anyNull' | 'onlyNulls' | 'none'
  /** Whether an empty text differs from null. */
  hasEmptyText: boolean
  /** Whether a column of the type can hold the value. */
  canStore(literal: Literal, type: ColumnType): boolean
  /** Statements before the first table. */
  preamble(tables: readonly Table[]): readonly string[]
  /** The schema of the tables; null: that of the session. */
  schema: string | null
  /** What makes texts compare exactly: a statement of the preamble, or a clause of types or tables; null: nothing has to. */
  collation: string | null
  quote(name: string): string
  typeName(type: ColumnType): string
  /** The clause for generated values; empty if the type says it. */
  identity: string
  /** The type of a generated column; null: its usual one. */
  generatedType: ((type: ColumnType) => string) | null
  /** The first name that the database tries for an unnamed constraint or sequence; null: not relevant. */
  impliedName: ((table: string, column: string, label: string) => string) | null
  literal(literal: Literal): string
  defaultValue(literal: Literal, type: ColumnType): string
  /** Expressions of defaults that the database computes; null: it has none. */
  computed: Readonly<Record<Computed['value'], string | null>>
  /** The clause for a nullable column; empty for most databases. */
  nullable: string
  /** The number of characters of a column. */
  characters(quoted: string): string
  /** A check that emulates a missing type. */
  typeCheck(quoted: string, type: ColumnType): string | null
  /** The condition that a column has exactly one of the values. */
  isOneOf(quoted: string, values: readonly Literal[]): string
  /** What it words differently in conditions. */
  condition: ConditionWords
  /** One statement per index and foreign key, else one per table for all of them. */
  addsKeysOneByOne: boolean
  /** Whether foreign keys are only possible in CREATE TABLE. */
  foreignKeysInTable: boolean
  /** Maximum number of values in an IN list. */
  inListLimit: number
  /** Text between the closing parenthesis of CREATE TABLE and the semicolon. */
  tableSuffix(table: Table): string
  columnSuffix(column: Column): string
  /** The columns or expressions of an index. */
  indexColumns(index: Index, quotedColumns: readonly string[]): readonly string[]
  indexSuffix(index: Index, quotedColumns: readonly string[]): string
  /** Replaces characters that the database or its command-line tools do not accept in comments. */
  commentText(text: string): string
  /** Ends the comment of a column whose type alone does not tell the meaning of its values; empty for other types. */
  commentMark(type: ColumnType): string
  /** Statements that set the comments of a table and its columns. */
  comments(table: Table): string[]
  /** Adapts a table whose rows exceed the limits of the database. */
  adaptRow(table: Table, isReferenced: (column: Column) => boolean): AdaptedRow
}

/** `shrunk` columns became text stored outside the row; the `released` ones of them lost their keys and indexes. */
export type AdaptedRow = {
  table: Table
  shrunk: readonly Column[]
  released: readonly Column[]
  /** Whether a filled row may exceed the limit nevertheless. */
  tooLong: boolean
}

const characters = (text: string) => `CHAR_LENGTH(${text})`

/** The common subset of SQL in standard notation. */
export const standard = {
  names: {
    limit: 128,
    size: bytesOf,
    fold: name => name.toLowerCase(),
    illegal: null,
    isReservedColumn: () => false,
    isReservedTable: () => false,
    isReservedConstraint: () => false,
  },
  limits: {
    varchar: null,
    key: null,
    index: null,
    columns: 1000,
    row: null,
    expressions: null,
    names: null,
    keys: null,
    decimal: { precision: 38, scale: 38 },
    openDecimal: null,
    literal: null,
    comment: null,
  },
  textSize: charactersOf,
  checksCharacters: false,
  checksJson: true,
  hasSingle: true,
  foldsGuids: true,
  mayBeLenient: false,
  ignoresTrailingSpaces: false,
  actions: ['noAction', 'restrict', 'cascade', 'setNull'],
  actsOnUpdate: true,
  allowsCascadePaths: true,
  clearsCheckedColumns: true,
  sharesPairLengths: true,
  uniqueIgnores: 'anyNull',
  hasEmptyText: true,
  canStore: () => true,
  preamble: () => [],
  schema: null,
  collation: null,
  quote: name => `"${doubleQuotes(name, '"')}"`,
  typeName: standardType,
  identity: 'GENERATED BY DEFAULT AS IDENTITY',
  generatedType: null,
  impliedName: null,
  literal: standardLiteral,
  defaultValue(literal) {
    return this.literal(literal)
  },
  computed: {
    instant: 'CURRENT_TIMESTAMP',
    utc: null,
    local: 'LOCALTIMESTAMP',
    today: 'CURRENT_DATE',
    uuid: null,
  },
  nullable: '',
  characters: quoted => `CHAR_LENGTH(${quoted})`,
  typeCheck(quoted, type) {
    return lengthCheck(this, type, quoted)
  },
  isOneOf(quoted, values) {
    return inLists(this, quoted, values)
  },
  condition: {
    ...standardWords,
    literal: standardLiteral,
    length: characters,
    split: splitByPlace({ ...located, concat: standardWords.concat, length: characters }),
  },
  addsKeysOneByOne: true,
  foreignKeysInTable: false,
  inListLimit: Number.POSITIVE_INFINITY,
  tableSuffix: () => '',
  columnSuffix: () => '',
  indexColumns: ({ descending }, columns) =>
    descending ? columns.map((column, at) => (descending[at] ? `${column} DESC` : column)) : columns,
  indexSuffix: () => '',
  commentText: text => text,
  commentMark: () => '',
  comments(table) {
    return commentStatements(this, table)
  },
  adaptRow: table => ({ table, shrunk: [], released: [], tooLong: false }),
} as const satisfies Dialect

/** The expression of a column's default. A column of single precision rounds a short number to the value. */
export function defaultText(
  dialect: Pick<Dialect, 'defaultValue' | 'computed' | 'hasSingle'>,
  value: NonNullable<Column['default']>,
  type: ColumnType,
): string {
  if (value.kind === 'computed') return dialect.computed[value.value] ?? 'NULL'
  return dialect.defaultValue(dialect.hasSingle ? shortLiteral(value, type) : value, type)
}

/** A number of single precision in the fewest digits. */
export function shortLiteral(literal: Literal, type: ColumnType): Literal {
  const isSingle = literal.kind === 'number' && type.kind === 'double' && type.isSingle
  return isSingle ? { ...literal, value: String(shortestOfSingle(Number(literal.value))) } : literal
}

/** The name of a table in a statement. */
export function tableName(dialect: Pick<Dialect, 'quote' | 'schema'>, name: string): string {
  return dialect.schema === null ? dialect.quote(name) : `${dialect.quote(dialect.schema)}.${dialect.quote(name)}`
}

export function quotedText(text: string): string {
  return `'${doubleQuotes(text, "'")}'`
}

/** Fast path: most texts have no quotes. */
export function doubleQuotes(text: string, quote: string): string {
  return text.includes(quote) ? text.replaceAll(quote, quote + quote) : text
}

/** Parenthesizes an expression that contains the operator; harmless for a text that merely contains it. */
export function inParentheses(value: string, operator: string): string {
  return value.includes(operator) ? `(${value})` : value
}

/** Checks the length of a text that exceeds a VARCHAR, and that one of fixed length was not filled with spaces. */
export function lengthCheck(dialect: Pick<Dialect, 'characters'>, type: ColumnType, quoted: string): string | null {
  if (type.kind !== 'varchar' && type.kind !== 'text') return null
  if (type.isFixed) return `${dialect.characters(`RTRIM(${quoted})`)} = ${type.length}`
  return type.kind === 'text' && type.length !== undefined ? `${dialect.characters(quoted)} <= ${type.length}` : null
}

/** Splits the values into as many lists as the database requires. */
export function inLists(
  { inListLimit, literal }: Pick<Dialect, 'inListLimit' | 'literal'>,
  quoted: string,
  values: readonly Literal[],
): string {
  const texts = values.map(literal)
  const lists: string[] = []
  for (let start = 0; start < texts.length; start += Math.min(inListLimit, texts.length)) {
    lists.push(`${quoted} IN (${joinParts(texts.slice(start, start + inListLimit), ', ')})`)
  }
  return joinParts(lists, ' OR ')
}

/** Scripts tell integers from decimals without decimal places by the word and the scale, which mean the same to the database. */
export function decimalType(word: string, { precision, scale, isWhole }: ColumnType & { kind: 'decimal' }): string {
  if (precision === null) return word
  return isWhole ? `NUMERIC(${precision})` : `${word}(${precision}, ${scale})`
}

function standardType(type: ColumnType): string {
  switch (type.kind) {
    case 'text':
      return 'CLOB'
    case 'varchar':
      return `${type.isFixed ? 'CHAR' : 'VARCHAR'}(${type.length})`
    case 'guid':
      return 'CHAR(36)'
    case 'integer':
      if (type.digits !== undefined) return `NUMERIC(${type.digits})`
      return type.bits === 16 ? 'SMALLINT' : type.bits === 32 ? 'INTEGER' : 'BIGINT'
    case 'double':
      return type.isSingle ? 'REAL' : 'DOUBLE PRECISION'
    case 'decimal':
      return decimalType('DECIMAL', type)
    case 'boolean':
      return 'BOOLEAN'
    case 'date':
      return 'DATE'
    case 'time':
      return 'TIME(6)'
    case 'timestamp':
      return 'TIMESTAMP(6)'
    case 'instant':
      return 'TIMESTAMP(6) WITH TIME ZONE'
    case 'json':
      return 'CLOB'
    case 'binary':
      return 'BLOB'
  }
}

function standardLiteral(literal: Literal): string {
  switch (literal.kind) {
    case 'text':
    case 'json':
      return quotedText(literal.value)
    case 'number':
      return literal.value
    case 'boolean':
      return literal.value ? 'TRUE' : 'FALSE'
    case 'date':
      return `DATE '${literal.value}'`
    case 'time':
      return `TIME '${literal.value}'`
    case 'timestamp':
      return `TIMESTAMP '${literal.value.replace('T', ' ')}'`
    case 'instant':
      return `TIMESTAMP '${literal.value.replace('T', ' ')}+00:00'`
    case 'bytes':
      return `X'${literal.value}'`
  }
}

/** COMMENT ON statements; `written` returns the literal, as expressions are not allowed. */
export function commentStatements(
  dialect: Dialect,
  table: Table,
  written = (value: string) => dialect.literal({ kind: 'text', value }),
): string[] {
  const name = tableName(dialect, table.name)
  const statements: string[] = []
  if (table.comment !== '') statements.push(`COMMENT ON TABLE ${name} IS ${written(table.comment)}`)
  const start = `COMMENT ON COLUMN ${name}.`
  for (const column of table.columns) {
    if (column.comment === '') continue
    statements.push(`${start}${dialect.quote(column.name)} IS ${written(column.comment)}`)
  }
  return statements
}
