import type { Context } from './context.ts'
import { parseExpression } from './expression-parser.ts'
import { referenceOf } from './keys.ts'
import type { RawColumn, RawTable, RawType } from './read-schema.ts'
import { isSign, type Token } from './token.ts'

/** `name type option…`, up to the next comma or parenthesis. Keys of the column are added to the table. */
export function columnDefinition(context: Context, table: RawTable): void {
  const { cursor } = context
  const start = cursor.peek()
  const name = cursor.name()
  const line = context.lineOf(start)
  const column: RawColumn = {
    name,
    line,
    type: cursor.isItemEnd() || cursor.isWord('AS') ? untyped : rawType(context),
    nullable: true,
    default: null,
    identity: false,
    comment: '',
  }
  context.countColumn(start)
  if (context.schema.column(table, name)?.name === name) {
    context.lost(
      line,
      `Table ${context.quoted(table.name)} has a second column ${context.quoted(name)}: it is ignored.`,
    )
    return cursor.skipItem()
  }
  table.columns.push(column)
  if (serials.test(column.type.name)) Object.assign(column, { nullable: false, identity: true })
  if (column.type.name === 'SERIAL' && context.dialect === 'mysql')
    table.uniques.push({ columns: [name], line, isOneNull: false })
  columnOptions(context, table, column)
}

/** Types whose values the database generates. */
const serials = /^(?:(?:BIG|SMALL)?SERIAL|SERIAL[248])$/

/** Some databases omit the type of a computed column. */
const untyped: RawType = { name: '', args: [], texts: [], isUnsigned: false, isArray: false, charset: '' }

const typeWords = new Set(
  'VARYING PRECISION LARGE OBJECT WITH WITHOUT LOCAL TIME ZONE RAW CHARACTER VARCHAR CHAR DAY YEAR TO SECOND MONTH'.split(
    ' ',
  ),
)
const typeFlags = new Set('UNSIGNED SIGNED ZEROFILL BINARY ARRAY'.split(' '))

/** `[dbo].[MyType]`, `character varying(20)[]`, `enum('a','b') CHARACTER SET utf8mb4`. */
export function rawType(context: Context): RawType {
  const written = writtenType(context)
  const namedType = context.schema.namedTypes.get(written.name.toLowerCase())
  return namedType ? { ...namedType, isArray: namedType.isArray || written.isArray } : written
}

function writtenType({ cursor }: Context): RawType {
  const [name = ''] = cursor.qualifiedName().slice(-1)
  const words = [name.toUpperCase()]
  let inside: Token[] | null = null
  let [isUnsigned, isArray, charset] = [false, false, '']
  for (;;) {
    const { kind, upper } = cursor.peek()
    if (inside === null && cursor.isSign('(')) inside = cursor.parenthesised()
    else if (upper === 'CHARSET' || (upper === 'CHARACTER' && cursor.peek(1).upper === 'SET')) {
      cursor.take()
      cursor.skipWords('SET')
      charset = cursor.name().toLowerCase()
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
  }
}

export const unenforced = 'A constraint that is not enforced is imported as enforced.'

export const deferrable = 'A deferrable constraint is imported as not deferrable.'

type Option = (context: Context, table: RawTable, column: RawColumn) => void

/** Column options by their first word. */
const options: Readonly<Record<string, Option | undefined>> = {
  CONSTRAINT: ({ cursor }) => {
    cursor.take()
    if (!cursor.isItemEnd()) cursor.name()
  },
  NULL: ({ cursor }) => {
    cursor.take()
  },
  NOT: (context, _table, column) => {
    const { cursor } = context
    cursor.take()
    if (cursor.skipWords('NULL')) column.nullable = false
    else if (cursor.skipWords('DEFERRABLE')) return
    else if (cursor.skipWords('ENFORCED')) context.changed(column.line, unenforced)
  },
  DEFAULT: (context, _table, column) => {
    context.cursor.take()
    // DEFAULT ON NULL implies that the column is never null.
    if (context.cursor.skipWords('ON', 'NULL')) column.nullable = false
    column.default = defaultOf(context, column)
  },
  PRIMARY: ({ cursor }, table, column) => {
    cursor.take()
    cursor.skipWords('KEY')
    table.primaryKey ??= [column.name]
  },
  UNIQUE: ({ cursor, dialect }, table, { name, line }) => {
    cursor.take()
    cursor.skipWords('KEY')
    const isOneNull = dialect === 'mssql' || cursor.skipWords('NULLS', 'NOT', 'DISTINCT')
    table.uniques.push({ columns: [name], line, isOneNull })
  },
  KEY: ({ cursor, dialect }, table, { name }) => {
    cursor.take()
    if (dialect === 'mysql') table.primaryKey ??= [name]
  },
  INDEX: ({ cursor, dialect }, table, { name, line }) => {
    cursor.take()
    if (dialect !== 'mssql') return
    cursor.name()
    table.indexes.push({ columns: [name], line })
  },
  FOREIGN: ({ cursor }) => {
    if (!cursor.skipWords('FOREIGN', 'KEY')) cursor.take()
  },
  DISABLE: remarkNotEnforced,
  DEFERRABLE: (context, _table, { line }) => {
    context.cursor.take()
    context.remarkOnce({ line, kind: 'changed', message: deferrable })
  },
  CHECK: (context, table) => checkOf(context, table),
  REFERENCES: (context, table, { name }) => {
    table.foreignKeys.push({ ...referenceOf(context), columns: [name] })
  },
  COMMENT: ({ cursor }, _table, column) => {
    cursor.take()
    if (cursor.peek().kind === 'text') column.comment = cursor.take().value
  },
  COLLATE: ({ cursor }) => {
    cursor.take()
    if (!cursor.isItemEnd()) cursor.qualifiedName()
  },
  AUTO_INCREMENT: (context, table, column) => {
    readGenerated(context, table, column)
    // AUTO_INCREMENT implies NOT NULL.
    column.nullable = false
  },
  AFTER: ({ cursor }) => {
    cursor.take()
    if (!cursor.isItemEnd()) cursor.name()
  },
  FIRST: ({ cursor }) => {
    cursor.take()
  },
  AUTOINCREMENT: readGenerated,
  IDENTITY: readGenerated,
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

/** Words that do not affect a model. */
const ignoredWords = new Set(
  `ENABLE VALIDATE NOVALIDATE VISIBLE INVISIBLE ROWGUIDCOL SPARSE STORAGE PLAIN EXTENDED EXTERNAL MAIN COMPRESSION
  INITIALLY DEFERRED IMMEDIATE ENFORCED NO INHERIT CLUSTERED NONCLUSTERED ASC DESC STORED VIRTUAL PERSISTED FOR REPLICATION
  USING BTREE HASH TABLESPACE WITH VALUES SCOPE COLUMN_FORMAT FIXED DYNAMIC DISK MEMORY`.split(/\s+/),
)

export function columnOptions(context: Context, table: RawTable, column: RawColumn): void {
  const { cursor } = context
  while (!cursor.isItemEnd()) {
    const { kind, upper, value } = cursor.peek()
    const option = kind === 'word' ? options[upper] : undefined
    if (option) option(context, table, column)
    else {
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

export function checkOf(context: Context, table: RawTable): void {
  const { cursor } = context
  const line = context.lineOf(cursor.take())
  table.checks.push({ expression: parseExpression(cursor.parenthesised()), line })
}

const afterDefault = new Set(
  `NOT NULL CONSTRAINT CHECK UNIQUE PRIMARY FOREIGN REFERENCES COMMENT GENERATED AUTO_INCREMENT IDENTITY ON KEY ENABLE FOR COLLATE INVISIBLE
  VISIBLE`.split(/\s+/),
)

/** Reads the expression after DEFAULT; reports it and returns null if it is not supported. */
export function defaultOf(context: Context, column: Pick<RawColumn, 'name' | 'line'>): RawColumn['default'] {
  const expression = defaultExpression(context)
  if (expression === null) remarkUnsupportedDefault(context, column)
  return expression
}

/** Like `defaultOf`, without a remark. */
export function defaultExpression(context: Context): RawColumn['default'] {
  const { cursor } = context
  const tokens: Token[] = []
  for (let depth = 0; ;) {
    const token = cursor.peek()
    const isOver = cursor.isItemEnd() || (token.kind === 'word' && afterDefault.has(token.upper))
    const isFirstNull = tokens.length === 0 && token.upper === 'NULL'
    const isValues = token.upper === 'WITH' && cursor.peek(1).upper === 'VALUES'
    const isPosition = context.dialect === 'mysql' && cursor.isWord('AFTER', 'FIRST')
    if (depth === 0 && ((isOver && !isFirstNull) || isValues || isPosition)) break
    if (token.kind === 'end' || isSign(token, ';')) cursor.fail('the end of a default value is expected')
    if (isSign(token, '(')) depth += 1
    if (isSign(token, ')')) depth -= 1
    tokens.push(cursor.take())
  }
  return parseExpression(tokens)
}

export function remarkUnsupportedDefault(context: Context, { name, line }: Pick<RawColumn, 'name' | 'line'>): void {
  context.lost(line, `The default value of '${name}' is not supported: it is ignored.`)
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

function readComputed(context: Context, _table: RawTable, column: RawColumn): void {
  context.cursor.take()
  if (!context.cursor.isItemEnd()) context.cursor.skipOne()
  context.changed(column.line, `'${column.name}' is a computed column: it is imported as a plain one.`)
}
