import { columnDefinition, checkOf, deferrable, unenforced } from './column-definition.ts'
import type { Context } from './context.ts'
import { referenceOf, columnNames } from './foreign-key.ts'
import { keyColumns, tellOfPrefix, type KeyColumns } from './key-columns.ts'
import { newTable, type RawTable } from './read-schema.ts'
import { skipStatement } from './skip.ts'
import { isEnd, isSign, type Token } from './token.ts'

export const temporary = 'A temporary table is taken as one that stays.'

/** What stands behind CREATE [GLOBAL TEMPORARY …] TABLE. */
export function createTable(context: Context, start: Token): void {
  const { cursor, schema } = context
  cursor.skipWords('IF', 'NOT', 'EXISTS')
  const parts = cursor.qualifiedName()
  const line = context.lineOf(start)
  const name = context.quoted(parts.join('.'))
  if (!cursor.isSign('(')) {
    context.remark(line, `The table ${name} has no list of columns of its own: it is left out.`)
    return skipStatement(context)
  }
  if (context.dialect === 'mssql' && parts.at(-1)?.startsWith('#') === true) context.remark(line, temporary)
  const table = newTable(parts, line)
  cursor.take()
  do {
    if (cursor.isSign(')')) break
    tableElement(context, table)
  } while (cursor.skipSign(','))
  cursor.expectSign(')')
  tableSuffix(context, table)
  const known = schema.find(parts)
  const isKnown = known?.name === table.name && known.schema === table.schema
  if (isKnown) context.remark(line, `The table ${name} is made a second time: only the first counts.`)
  else schema.add(table)
}

function tableElement(context: Context, table: RawTable): void {
  const { cursor } = context
  if (isConstraint(context)) tableConstraint(context, table)
  else if (!isLeftOut(context)) columnDefinition(context, table)
  cursor.skipItem()
}

/** Whether a constraint or an index stands here, and no column. */
export function isConstraint({ cursor, dialect }: Context): boolean {
  if (cursor.isWord('CONSTRAINT', 'PRIMARY', 'UNIQUE', 'FOREIGN', 'CHECK')) return true
  return (dialect === 'mysql' || dialect === 'mssql') && cursor.isWord('KEY', 'INDEX', 'FULLTEXT', 'SPATIAL')
}

/** Whether something stands here that is neither a column nor a key, which is told. Columns may be named as all but LIKE. */
export function isLeftOut(context: Context): boolean {
  const { cursor } = context
  const next = cursor.peek(1)
  const isOther =
    cursor.isWord('LIKE') ||
    (cursor.isWord('EXCLUDE') && (next.upper === 'USING' || isSign(next, '('))) ||
    (cursor.isWord('PERIOD') && next.upper === 'FOR') ||
    (cursor.isWord('SUPPLEMENTAL') && next.upper === 'LOG') ||
    (cursor.isWord('SYSTEM') && next.upper === 'VERSIONING')
  if (!isOther) return false
  const token = cursor.take()
  context.remark(context.lineOf(token), `${token.upper} in a table is not known: it is left out.`)
  return true
}

export function tableConstraint(context: Context, table: RawTable): void {
  const { cursor } = context
  if (cursor.skipWords('CONSTRAINT') && !cursor.isWord('PRIMARY', 'UNIQUE', 'FOREIGN', 'CHECK', 'DEFAULT'))
    cursor.name()
  if (isLeftOut(context)) return
  const line = context.lineOf(cursor.peek())
  if (cursor.isWord('CHECK')) checkOf(context, table)
  else if (cursor.skipWords('PRIMARY', 'KEY')) {
    const { key } = listed(context, line)
    if (key) table.primaryKey ??= key.columns
    if (key) tellOfPrefix(context, line, key)
  } else if (cursor.skipWords('FOREIGN', 'KEY')) {
    wordsUpTo(context, '(')
    const columns = columnNames(context)
    table.foreignKeys.push({ ...referenceOf(context), columns })
  } else index(context, table, line)
  tellUnenforced(context, line)
}

const ownKinds = ['FULLTEXT', 'SPATIAL', 'COLUMNSTORE']

function index(context: Context, table: RawTable, line: number): void {
  const { key, words } = listed(context, line)
  while (!context.cursor.isItemEnd() && !context.cursor.isWord('WHERE')) context.cursor.skipOne()
  const isOwnKind = ownKinds.some(word => words.has(word))
  if (key === undefined && !isOwnKind) return
  if (!key || isOwnKind || context.cursor.isWord('WHERE')) {
    return context.remark(line, 'An index of expressions, of some rows or of its own kind is left out.')
  }
  const { columns } = key
  if (!words.has('UNIQUE')) return void table.indexes.push({ columns, line })
  tellOfPrefix(context, line, key)
  table.uniques.push({ columns, line, isOneNull: context.dialect === 'mssql' || words.has('DISTINCT') })
}

/** The columns of a key, and the words before them; none, with a remark, where an index has them. */
function listed(context: Context, line: number): { key?: KeyColumns | null; words: ReadonlySet<string> } {
  const words = wordsUpTo(context, '(')
  if (context.cursor.isSign('(')) return { key: keyColumns(context), words }
  if (!words.has('COLUMNSTORE')) context.remark(line, 'A key whose columns are not said here is left out.')
  return { words }
}

function wordsUpTo({ cursor }: Context, sign: string): Set<string> {
  const words = new Set<string>()
  while (!cursor.isItemEnd() && !cursor.isSign(sign)) words.add(cursor.take().upper)
  return words
}

/** `DISABLE`, `NOT ENFORCED`. */
function tellUnenforced(context: Context, line: number): void {
  const { cursor } = context
  for (; !cursor.isItemEnd(); cursor.skipOne()) {
    const isNot = cursor.isWord('DISABLE') || (cursor.isWord('NOT') && cursor.peek(1).upper === 'ENFORCED')
    if (isNot) context.remark(line, unenforced)
    if (cursor.isWord('NOT') && cursor.peek(1).upper === 'DEFERRABLE') cursor.take()
    else if (cursor.isWord('DEFERRABLE')) context.remarkOnce(line, deferrable)
  }
}

/** What stands behind the parenthesis: a comment counts, what the model has no word for is told. */
function tableSuffix(context: Context, table: RawTable): void {
  const { cursor } = context
  while (!isEnd(cursor.peek())) {
    const token = cursor.peek()
    if (
      context.dialect === 'mssql' &&
      token.first &&
      token.kind === 'word' &&
      !cursor.isWord('ON', 'WITH', 'TEXTIMAGE_ON')
    )
      return
    if (cursor.skipWords('COMMENT')) {
      cursor.skipSign('=')
      if (cursor.peek().kind === 'text') table.comment = cursor.take().value
    } else {
      const isTold =
        cursor.isWord('INHERITS', 'PARTITION', 'SELECT', 'AS') ||
        (cursor.isWord('SYSTEM') && cursor.peek(1).upper === 'VERSIONING') ||
        (cursor.isWord('EXTERNAL') && context.dialect === 'oracle')
      if (isTold)
        context.remark(context.lineOf(token), `${token.upper} of the table ${context.quoted(table.name)} is left out.`)
      cursor.skipOne()
    }
  }
}
