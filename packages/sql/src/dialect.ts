import type { Literal } from '@cadmus/model/values/literal'
import { bytesOf, charactersOf, type NameRules } from './names.ts'
import { joined } from './pieces.ts'
import type { Column, ColumnType, Index, ReferentialAction, Table } from './tree.ts'

/** Limits that the fitting of a schema keeps; null = none that matters. */
export type DialectLimits = {
  /** Characters of a VARCHAR; longer ones become text. */
  varchar: number | null
  /** Characters of all strings of one primary key, unique constraint or index. */
  key: number | null
  index: number | null
  columns: number
  /** Bytes of the narrowest row that a table may have, and what a column takes of them. */
  row: { bytes: number; size(type: ColumnType): number } | null
  /** Bytes of a table's definition, and of what is kept of its columns in any case. */
  expressions: number | null
  names: number | null
  /** Keys and indexes of one table; a foreign key without an index counts as one. */
  keys: number | null
  decimal: { precision: number; scale: number }
  /** What a decimal without precision becomes; null = a number of any length. */
  openDecimal: { precision: number; scale: number } | null
  /** A text literal, in bytes of UTF-8. */
  literal: number | null
  /** Comments, in the unit that `size` counts. */
  comment: { table: number; column: number; size(text: string): number } | null
}

/** A database's SQL: the standard's answer to each question, and where a dialect file says so, its own. */
export type Dialect = {
  names: NameRules
  limits: DialectLimits
  /** The length of a text as a VARCHAR counts it. */
  textSize(text: string): number
  /** Whether a check can count characters where a VARCHAR counts something else. */
  checksCharacters: boolean
  /** Whether a JSON column takes nothing but JSON. */
  checksJson: boolean
  /** Whether a guid may be written in capitals as well; else it is taken in small letters only. */
  foldsGuids: boolean
  /** Whether a server may be told to change a value that does not fit its column, instead of refusing it. */
  mayBeLenient: boolean
  /** Whether texts that differ in blanks at their end are one to a unique constraint. */
  ignoresTrailingBlanks: boolean
  /** Actions on delete that the database has. A refused one becomes noAction. */
  actions: readonly ReferentialAction[]
  /** Whether deleting may reach a row on more than one cascading path. */
  allowsCascadePaths: boolean
  /** Whether a column that a check looks at may be emptied by a foreign key. */
  clearsCheckedColumns: boolean
  /** Whether a unique column takes any number of rows without a value. */
  uniqueIgnoresMissing: boolean
  /** Whether an empty text is a value. */
  hasEmptyText: boolean
  /** Whether the database has the value at all, as a default or a choice of a column of the type. */
  holds(literal: Literal, type: ColumnType): boolean
  /** Statements before the first table. */
  preamble(tables: readonly Table[]): readonly string[]
  quote(name: string): string
  typeName(type: ColumnType): string
  /** What makes a column's values generated. */
  identity: string
  /** The name that the database tries first for what a script leaves without one; null = none that matters. */
  impliedName: ((table: string, column: string, label: string) => string) | null
  literal(literal: Literal): string
  /** A literal in its place after DEFAULT. */
  defaultValue(literal: Literal, type: ColumnType): string
  /** What is written where a column takes no value: most databases need nothing. */
  nullable: string
  /** How many characters the text of a column has. */
  characters(quoted: string): string
  /** A condition that the type needs because the database has no such type. */
  typeCheck(type: ColumnType, quoted: string): string | null
  /** The condition that a column has one of the values, to the letter. */
  isOneOf(quoted: string, values: readonly Literal[]): string
  /** A statement for each index and foreign key; else one for all indexes and one for all foreign keys of a table. */
  addsKeysOneByOne: boolean
  /** Whether foreign keys are said where the table is made, and nowhere else. */
  foreignKeysInTable: boolean
  /** Values of one IN list. */
  inListLimit: number
  /** Text between the last parenthesis of a table and its semicolon. */
  tableSuffix(table: Table): string
  columnSuffix(column: Column): string
  indexSuffix(index: Index, quotedColumns: readonly string[]): string
  /** Makes a comment's text one that the database and its command-line tools take as it is. */
  commentText(text: string): string
  /** The statements that comment a table and its columns. */
  comments(table: Table): string[]
  /** A last change to a table whose rows the database could not hold. */
  fitRow(table: Table, isReferenced: (column: Column) => boolean): FittedRow
}

/** `shrunk` columns became text outside the row; of these the `released` ones lost their keys and indexes by it. */
export type FittedRow = {
  table: Table
  shrunk: readonly Column[]
  released: readonly Column[]
  /** Whether a row that is filled may be longer than the database stores. */
  tooLong: boolean
}

/** The SQL standard, as far as the databases agree. */
export const standard = {
  names: {
    limit: 128,
    size: bytesOf,
    fold: name => name.toLowerCase(),
    illegal: null,
    isTakenColumn: () => false,
    isBadTable: () => false,
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
  foldsGuids: true,
  mayBeLenient: false,
  ignoresTrailingBlanks: false,
  actions: ['noAction', 'restrict', 'cascade', 'setNull'],
  allowsCascadePaths: true,
  clearsCheckedColumns: true,
  uniqueIgnoresMissing: true,
  hasEmptyText: true,
  holds: () => true,
  preamble: () => [],
  quote: name => `"${doubled(name, '"')}"`,
  typeName: standardType,
  identity: 'GENERATED BY DEFAULT AS IDENTITY',
  impliedName: null,
  literal: standardLiteral,
  defaultValue(literal) {
    return this.literal(literal)
  },
  nullable: '',
  characters: quoted => `CHAR_LENGTH(${quoted})`,
  typeCheck(type, quoted) {
    return lengthCheck(this, type, quoted)
  },
  isOneOf(quoted, values) {
    return inLists(this, quoted, values)
  },
  addsKeysOneByOne: true,
  foreignKeysInTable: false,
  inListLimit: Number.POSITIVE_INFINITY,
  tableSuffix: () => '',
  columnSuffix: () => '',
  indexSuffix: () => '',
  commentText: text => text,
  comments(table) {
    return commentStatements(this, table)
  },
  fitRow: table => ({ table, shrunk: [], released: [], tooLong: false }),
} as const satisfies Dialect

export function quotedText(text: string): string {
  return `'${doubled(text, "'")}'`
}

/** Most texts have no quotes, and looking is quicker than replacing. */
export function doubled(text: string, quote: string): string {
  return text.includes(quote) ? text.replaceAll(quote, quote + quote) : text
}

/** A value put together by an operator, as one; parentheses do no harm where the operator is part of a text. */
export function inParentheses(value: string, operator: string): string {
  return value.includes(operator) ? `(${value})` : value
}

/** A text that a VARCHAR has no room for is no longer than the model says all the same. */
export function lengthCheck(dialect: Pick<Dialect, 'characters'>, type: ColumnType, quoted: string): string | null {
  return type.kind === 'text' && type.length !== undefined ? `${dialect.characters(quoted)} <= ${type.length}` : null
}

/** As many lists as the database needs for the values. */
export function inLists(
  { inListLimit, literal }: Pick<Dialect, 'inListLimit' | 'literal'>,
  quoted: string,
  values: readonly Literal[],
): string {
  const texts = values.map(literal)
  const lists: string[] = []
  for (let start = 0; start < texts.length; start += Math.min(inListLimit, texts.length)) {
    lists.push(`${quoted} IN (${joined(texts.slice(start, start + inListLimit), ', ')})`)
  }
  return joined(lists, ' OR ')
}

function standardType(type: ColumnType): string {
  switch (type.kind) {
    case 'text':
      return 'CLOB'
    case 'varchar':
      return `VARCHAR(${type.length})`
    case 'guid':
      return 'CHAR(36)'
    case 'integer':
      return type.bits === 16 ? 'SMALLINT' : type.bits === 32 ? 'INTEGER' : 'BIGINT'
    case 'double':
      return 'DOUBLE PRECISION'
    case 'decimal':
      return type.precision === null ? 'DECIMAL' : `DECIMAL(${type.precision}, ${type.scale})`
    case 'boolean':
      return 'BOOLEAN'
    case 'date':
      return 'DATE'
    case 'time':
      return 'TIME(6)'
    case 'timestamp':
      return 'TIMESTAMP(6)'
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
    case 'bytes':
      return `X'${literal.value}'`
  }
}

/** The standard's statements; `written` makes a comment's literal, which takes no expression. */
export function commentStatements(
  dialect: Dialect,
  table: Table,
  written = (value: string) => dialect.literal({ kind: 'text', value }),
): string[] {
  const name = dialect.quote(table.name)
  const statements: string[] = []
  if (table.comment !== '') statements.push(`COMMENT ON TABLE ${name} IS ${written(table.comment)}`)
  for (const column of table.columns) {
    if (column.comment === '') continue
    statements.push(`COMMENT ON COLUMN ${name}.${dialect.quote(column.name)} IS ${written(column.comment)}`)
  }
  return statements
}
