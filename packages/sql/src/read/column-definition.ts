import type { Context } from './context.ts'
import { parseExpression } from './expression-parser.ts'
import { isBuiltIn } from './column-types.ts'
import { referenceOf } from './keys.ts'
import { definePart, implyKey } from './parts.ts'
import { newColumn, type RawColumn, type RawTable, type RawType } from './read-schema.ts'
import { isSign, type Token } from './token.ts'

/**
 * `name type option…`, up to the next comma or parenthesis. Keys of the column are added to the table. `isGuarded`: the
 * table may have it already.
 */
export function columnDefinition(context: Context, table: RawTable, isGuarded = false): RawColumn | undefined {
  const { cursor } = context
  const start = cursor.peek()
  const name = cursor.name()
  const line = context.lineOf(start)
  const column = newColumn(name, line, cursor.isItemEnd() || cursor.isWord('AS') ? untyped : rawType(context))
  context.countParts()
  if (table.column(name)?.name === name) {
    const second = `Table ${context.quoted(table.name)} has a second column ${context.quoted(name)}: it is ignored.`
    const of = `${table.name}.${name}`
    if (isGuarded) context.note(line, 'A column that exists already is not added again.', { name: of })
    else context.lost(line, second, { of: 'column' })
    return void cursor.skipItem()
  }
  if (table.columns.length >= maxColumns) cursor.failAt(`a table has more than ${maxColumns} columns`, start)
  table.addColumn(column)
  if (serials.test(column.type.name)) Object.assign(column, { nullable: false, identity: true })
  if (column.type.name === 'SERIAL' && context.dialect === 'mysql')
    definePart(context, table, { kind: 'unique', name: '', line, columns: [name], isOneNull: false })
  if (column.type.name === 'IDENTITY' && context.dialect === 'hsql') {
    Object.assign(column, { type: { ...column.type, name: 'INTEGER' }, nullable: false, identity: true })
    implyIdentityKey(context, table, column, '')
  }
  columnOptions(context, table, column)
  return column
}

/** Exceeds the columns of a table in any database. */
const maxColumns = 50_000

/** Types whose values the database generates. */
const serials = /^(?:(?:BIG|SMALL)?SERIAL|SERIAL[248])$/

/** HSQLDB makes a column of IDENTITY the primary key. */
function implyIdentityKey(context: Context, table: RawTable, column: RawColumn, name: string): void {
  if (context.dialect !== 'hsql') return
  implyKey(context, table, { ...keyOf(column, name), kind: 'primary', isOneNull: false })
}

/** Some databases omit the type of a computed column. */
const untyped: RawType = { name: '', args: [], texts: [], isUnsigned: false, isArray: false, charset: '', named: null }

const typeWords = new Set(
  'VARYING PRECISION LARGE OBJECT WITH WITHOUT LOCAL TIME ZONE RAW CHARACTER VARCHAR CHAR DAY YEAR TO SECOND MONTH'.split(
    ' ',
  ),
)
const typeFlags = new Set('UNSIGNED SIGNED ZEROFILL BINARY ARRAY'.split(' '))

/** `[dbo].[MyType]`, `character varying(20)[]`, `enum('a','b') CHARACTER SET utf8mb4`. */
export function rawType(context: Context): RawType {
  const { cursor } = context
  const parts = cursor.qualifiedName()
  const name = parts.at(-1) ?? ''
  const words = [name.toUpperCase()]
  let inside: Token[] | null = null
  let [isUnsigned, isArray, charset] = [false, false, '']
  for (;;) {
    const { kind, upper } = cursor.peek()
    if (inside === null && cursor.isSign('(')) inside = cursor.parenthesised()
    else if (upper === 'CHARSET' || (upper === 'CHARACTER' && cursor.peek(1).upper === 'SET')) {
      cursor.take()
      cursor.skipWords('SET')
      charset = cursor.nameOrText().toLowerCase()
    } else if (kind === 'word' && typeFlags.has(upper)) {
      isUnsigned ||= upper === 'UNSIGNED' || upper === 'ZEROFILL'
      isArray ||= upper === 'ARRAY'
      cursor.take()
    } else if (kind === 'word' && typeWords.has(upper) && cursor.peek(1).upper !== 'VALUES') {
      words.push(upper)
      cursor.take()
    } else if (cursor.isSign('[')) {
      isArray = true
      while (!cursor.isItemEnd() && !cursor.skipSign(']')) cursor.take()
    } else break
  }
  const values = (inside ?? []).filter(token => !isSign(token, ','))
  return {
    name: words.join(' '),
    args: values.filter(({ kind }) => kind !== 'text').map(({ value }) => value.toUpperCase()),
    texts: values.filter(({ kind }) => kind === 'text').map(({ value }) => value),
    isUnsigned,
    isArray,
    charset,
    named: namedTypeOf(context, parts),
  }
}

/** Types of the script come before types of the database only by their exact name. */
function namedTypeOf({ schema }: Context, parts: readonly string[]): RawType['named'] {
  const name = parts.at(-1) ?? ''
  if (!isBuiltIn(name)) return schema.typeNamed(parts)
  const known = schema.types.find(parts)
  return known?.name === name ? known : null
}

export const unenforced = 'A constraint that is not enforced is imported as enforced.'

export const deferrable = 'A deferrable constraint is imported as not deferrable.'

/** `name`: of the constraint that the option is. */
type Option = (context: Context, table: RawTable, column: RawColumn, name: string) => void

/** Column options by their first word. */
const options: Readonly<Record<string, Option | undefined>> = {
  NULL: ({ cursor }, _table, column) => {
    cursor.take()
    column.nullable = true
  },
  NOT: (context, _table, column) => {
    const { cursor } = context
    cursor.take()
    if (cursor.skipWords('NULL')) column.nullable = false
    else if (cursor.skipWords('DEFERRABLE')) return
    else if (cursor.skipWords('ENFORCED')) context.changed(column.line, unenforced)
  },
  DEFAULT: (context, table, column, name) => {
    context.cursor.take()
    // DEFAULT ON NULL implies that the column is never null.
    if (context.cursor.skipWords('ON', 'NULL')) column.nullable = false
    column.default = defaultOf(context)
    nameDefault(context, table, column, name)
  },
  PRIMARY: (context, table, column, name) => {
    context.cursor.take()
    context.cursor.skipWords('KEY')
    definePart(context, table, { ...keyOf(column, name), kind: 'primary', isOneNull: false })
  },
  UNIQUE: (context, table, column, name) => {
    const { cursor, dialect } = context
    cursor.take()
    cursor.skipWords('KEY')
    const isOneNull = dialect === 'mssql' || cursor.skipWords('NULLS', 'NOT', 'DISTINCT')
    definePart(context, table, { ...keyOf(column, name), kind: 'unique', isOneNull })
  },
  KEY: (context, table, column) => {
    context.cursor.take()
    if (context.dialect !== 'mysql') return
    definePart(context, table, { ...keyOf(column, ''), kind: 'primary', isOneNull: false })
  },
  INDEX: (context, table, column) => {
    const { cursor, dialect } = context
    cursor.take()
    if (dialect !== 'mssql') return
    definePart(context, table, { ...keyOf(column, cursor.name()), kind: 'index', isOneNull: false })
  },
  FOREIGN: ({ cursor }) => {
    if (!cursor.skipWords('FOREIGN', 'KEY')) cursor.take()
  },
  DISABLE: remarkNotEnforced,
  DEFERRABLE: (context, _table, { line }) => {
    context.cursor.take()
    context.remarkOnce({ line, kind: 'changed', message: deferrable })
  },
  CHECK: (context, table, column, name) => checkOf(context, table, name, column),
  REFERENCES: (context, table, column, name) => {
    const reference = referenceOf(context)
    definePart(context, table, { ...keyOf(column, name), line: reference.line, kind: 'foreignKey', reference })
  },
  COMMENT: ({ cursor }, _table, column) => {
    cursor.take()
    if (cursor.peek().kind === 'text') column.comment = cursor.take().value
  },
  COLLATE: (context, _table, column) => {
    context.cursor.take()
    column.collation = collationName(context)
  },
  AUTO_INCREMENT: (context, table, column) => {
    readGenerated(context, table, column)
    // AUTO_INCREMENT implies NOT NULL.
    column.nullable = false
  },
  AFTER: ({ cursor }, table, column) => {
    cursor.take()
    const other = cursor.isItemEnd() ? undefined : table.column(cursor.name())
    if (other && other !== column) table.move(column, other)
  },
  FIRST: ({ cursor }, table, column) => {
    cursor.take()
    table.move(column, null)
  },
  AUTOINCREMENT: readGenerated,
  IDENTITY: (context, table, column, name) => {
    readGenerated(context, table, column)
    if (context.dialect === 'hsql') context.cursor.skipWords('PRIMARY', 'KEY')
    implyIdentityKey(context, table, column, name)
  },
  GENERATED: readGeneratedAs,
  AS: readComputed,
  ON: (context, _table, column) => {
    const { cursor } = context
    if (!cursor.skipWords('ON', 'UPDATE')) return void cursor.take()
    if (!cursor.isItemEnd()) cursor.skipOne()
    if (cursor.isSign('(')) cursor.skipOne()
    context.lost(column.line, `ON UPDATE of '${column.name}' is ignored.`)
  },
}

/** The name of a collation at the cursor. */
export function collationName({ cursor }: Context): string {
  if (cursor.isItemEnd()) return ''
  return cursor.peek().kind === 'text' ? cursor.take().value : (cursor.qualifiedName().at(-1) ?? '')
}

/** Words that do not affect a model. */
const ignoredWords = new Set(
  `ENABLE VALIDATE NOVALIDATE VISIBLE INVISIBLE ROWGUIDCOL SPARSE STORAGE PLAIN EXTENDED EXTERNAL MAIN COMPRESSION
  INITIALLY DEFERRED IMMEDIATE ENFORCED NO INHERIT CLUSTERED NONCLUSTERED ASC DESC STORED VIRTUAL PERSISTED FOR REPLICATION
  USING BTREE HASH TABLESPACE WITH VALUES SCOPE COLUMN_FORMAT FIXED DYNAMIC DISK MEMORY HIDDEN`.split(/\s+/),
)

/** The column as the only one of a part. */
function keyOf({ name: column, line }: RawColumn, name: string) {
  return { name, line, columns: [column] }
}

function nameDefault(context: Context, table: RawTable, column: RawColumn, name: string): void {
  if (name === '') return
  definePart(context, table, { ...keyOf(column, name), kind: 'default', message: '', thing: 'default', tokens: [] })
}

export function columnOptions(context: Context, table: RawTable, column: RawColumn): void {
  const { cursor } = context
  let name = ''
  while (!cursor.isItemEnd()) {
    const { kind, upper, value } = cursor.peek()
    const option = kind === 'word' ? options[upper] : undefined
    if (upper === 'CONSTRAINT') {
      cursor.take()
      if (!cursor.isItemEnd()) name = cursor.name()
    } else if (option) {
      option(context, table, column, name)
      name = ''
    } else {
      const isKnown = kind !== 'word' || ignoredWords.has(upper)
      if (!isKnown)
        context.lost(
          column.line,
          `Option ${context.quoted(value)} of column '${column.name}' is not supported: it is ignored.`,
        )
      cursor.skipOne()
    }
  }
}

export function checkOf(context: Context, table: RawTable, name: string, column?: RawColumn): void {
  const { cursor } = context
  const line = context.lineOf(cursor.take())
  const open = cursor.peek()
  const tokens = cursor.parenthesised()
  const span = [open.end, tokens.at(-1)?.end ?? open.end] as const
  const expression = parseExpression(tokens)
  const columns = column ? [column.name] : []
  definePart(context, table, { kind: 'check', name, line, columns, expression, span, tokens })
}

const afterDefault = new Set(
  `NOT NULL CONSTRAINT CHECK UNIQUE PRIMARY FOREIGN REFERENCES COMMENT GENERATED AUTO_INCREMENT IDENTITY ON KEY ENABLE FOR COLLATE INVISIBLE
  VISIBLE`.split(/\s+/),
)

/** The expression after DEFAULT. */
export function defaultOf(context: Context): NonNullable<RawColumn['default']> {
  const { cursor } = context
  const start = cursor.peek()
  const tokens: Token[] = []
  for (let depth = 0; ;) {
    const token = cursor.peek()
    const isOver = cursor.isItemEnd() || (token.kind === 'word' && afterDefault.has(token.upper))
    const isFirstNull = tokens.length === 0 && token.upper === 'NULL'
    // NEXT VALUE FOR a sequence.
    const isFor = token.upper === 'FOR' && tokens.at(-1)?.upper === 'VALUE'
    const isValues = token.upper === 'WITH' && cursor.peek(1).upper === 'VALUES'
    const isPosition = context.dialect === 'mysql' && cursor.isWord('AFTER', 'FIRST')
    if (depth === 0 && ((isOver && !isFirstNull && !isFor) || isValues || isPosition)) break
    if (token.kind === 'end' || isSign(token, ';')) cursor.fail('the end of a default value is expected')
    // The items of `ARRAY[a, b]` are no items of the table.
    if (isSign(token, '(') || isSign(token, '[')) depth += 1
    if (isSign(token, ')') || isSign(token, ']')) depth -= 1
    tokens.push(cursor.take())
  }
  const span = [start.at, tokens.at(-1)?.end ?? start.at] as const
  return { expression: parseExpression(tokens), span, line: context.lineOf(start) }
}

function readGenerated({ cursor }: Context, _table: RawTable, column: RawColumn): void {
  cursor.take()
  if (cursor.isSign('(')) cursor.skipOne()
  column.identity = true
}

/** `GENERATED BY DEFAULT ON NULL AS IDENTITY (…)`, or the expression that computes the column. */
function readGeneratedAs(context: Context, table: RawTable, column: RawColumn): void {
  const { cursor } = context
  while (cursor.isWord('GENERATED', 'ALWAYS', 'BY', 'DEFAULT', 'ON', 'NULL')) cursor.take()
  if (cursor.skipWords('AS', 'IDENTITY')) {
    if (cursor.isSign('(')) cursor.skipOne()
    while (cursor.peek().kind === 'number' || cursor.isSign('-') || sequenceWords.has(cursor.peek().upper))
      cursor.take()
    column.identity = true
  } else if (cursor.skipWords('AS', 'ROW')) {
    cursor.take()
    context.changed(column.line, 'A column of the time of a row is imported as a plain one.', { name: column.name })
  } else if (cursor.isWord('AS')) readComputed(context, table, column)
}

/** Sequence options, which Oracle's tools write without parentheses. */
const sequenceWords = new Set(
  `START WITH INCREMENT BY MINVALUE MAXVALUE NOMINVALUE NOMAXVALUE CACHE NOCACHE CYCLE NOCYCLE ORDER NOORDER KEEP NOKEEP SCALE NOSCALE
  EXTEND NOEXTEND LIMIT VALUE`.split(/\s+/),
)

function remarkNotEnforced(context: Context, _table: RawTable, column: RawColumn): void {
  context.cursor.take()
  context.changed(column.line, unenforced)
}

const afterExpression =
  'PERSISTED STORED VIRTUAL NOT NULL UNIQUE PRIMARY CONSTRAINT CHECK COMMENT INVISIBLE VISIBLE KEY'.split(' ')

function readComputed(context: Context, _table: RawTable, column: RawColumn): void {
  context.cursor.take()
  // `AS a.B()` and `AS a + b` of SQL Server need no parentheses.
  while (!context.cursor.isItemEnd() && !context.cursor.isWord(...afterExpression)) context.cursor.skipOne()
  context.changed(column.line, `'${column.name}' is a computed column: it is imported as a plain one.`)
}
