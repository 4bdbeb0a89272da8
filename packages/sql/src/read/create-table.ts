import { columnDefinition, checkOf, deferrable, unenforced } from './column-definition.ts'
import type { Context } from './context.ts'
import { columnNames, keyColumns, type KeyColumns, referenceOf, remarkPrefix } from './keys.ts'
import { newTable, type RawTable } from './read-schema.ts'
import { isEnd, isSign, type Token } from './token.ts'

export const temporary = 'A temporary table is imported as a permanent one.'

/** Applies CREATE [GLOBAL TEMPORARY …] TABLE; the cursor is after TABLE. */
export function createTable(context: Context, start: Token): void {
  const { cursor, schema } = context
  cursor.skipWords('IF', 'NOT', 'EXISTS')
  const parts = cursor.qualifiedName()
  const line = context.lineOf(start)
  const name = context.quoted(parts.join('.'))
  if (!cursor.isSign('(')) {
    context.lost(line, `Table ${name} has no column list: it is ignored.`)
    return cursor.skipStatement()
  }
  if (context.dialect === 'mssql' && parts.at(-1)?.startsWith('#') === true) context.changed(line, temporary)
  const table = newTable(parts, line)
  cursor.take()
  do {
    if (cursor.isSign(')')) break
    tableElement(context, table)
  } while (cursor.skipSign(','))
  cursor.expectSign(')')
  tableSuffix(context, table)
  const existing = schema.find(parts)
  const isDuplicate = existing?.name === table.name && existing.schema === table.schema
  if (isDuplicate) context.lost(line, `Table ${name} is created twice: the second definition is ignored.`)
  else schema.add(table)
}

function tableElement(context: Context, table: RawTable): void {
  const { cursor } = context
  if (isConstraint(context)) tableConstraint(context, table)
  else if (!isLeftOut(context)) columnDefinition(context, table)
  cursor.skipItem()
}

/** Whether a constraint or an index begins here rather than a column. */
export function isConstraint({ cursor, dialect }: Context): boolean {
  if (cursor.isWord('CONSTRAINT', 'PRIMARY', 'UNIQUE', 'FOREIGN', 'CHECK')) return true
  return (dialect === 'mysql' || dialect === 'mssql') && cursor.isWord('KEY', 'INDEX', 'FULLTEXT', 'SPATIAL')
}

/**
 * Skips and reports an element that is neither a column nor a key. Of these words, only LIKE cannot be a column name.
 */
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
  context.lost(context.lineOf(token), `${token.upper} in a table is not supported: it is ignored.`)
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
    const { key } = keyList(context, line)
    if (key) table.primaryKey ??= key.columns
    if (key) remarkPrefix(context, line, key)
  } else if (cursor.skipWords('FOREIGN', 'KEY')) {
    wordsUpTo(context, '(')
    const columns = columnNames(context)
    table.foreignKeys.push({ ...referenceOf(context), columns })
  } else index(context, table, line)
  remarkUnenforced(context, line)
}

const specialKinds = ['FULLTEXT', 'SPATIAL', 'COLUMNSTORE']

function index(context: Context, table: RawTable, line: number): void {
  const { key, words } = keyList(context, line)
  while (!context.cursor.isItemEnd() && !context.cursor.isWord('WHERE')) context.cursor.skipOne()
  const isSpecial = specialKinds.some(word => words.has(word))
  if (key === undefined && !isSpecial) return
  if (!key || isSpecial || context.cursor.isWord('WHERE')) {
    return context.lost(line, 'An expression, partial or special index is ignored.')
  }
  const { columns } = key
  if (!words.has('UNIQUE')) return void table.indexes.push({ columns, line })
  remarkPrefix(context, line, key)
  table.uniques.push({ columns, line, isOneNull: context.dialect === 'mssql' || words.has('DISTINCT') })
}

/** The key columns and the words before them; no key, and a remark, if there is no column list. */
function keyList(context: Context, line: number): { key?: KeyColumns | null; words: ReadonlySet<string> } {
  const words = wordsUpTo(context, '(')
  if (context.cursor.isSign('(')) return { key: keyColumns(context), words }
  if (!words.has('COLUMNSTORE')) context.lost(line, 'A key without a column list is ignored.')
  return { words }
}

function wordsUpTo({ cursor }: Context, sign: string): Set<string> {
  const words = new Set<string>()
  while (!cursor.isItemEnd() && !cursor.isSign(sign)) words.add(cursor.take().upper)
  return words
}

/** `DISABLE`, `NOT ENFORCED`. */
function remarkUnenforced(context: Context, line: number): void {
  const { cursor } = context
  for (; !cursor.isItemEnd(); cursor.skipOne()) {
    const isNot = cursor.isWord('DISABLE') || (cursor.isWord('NOT') && cursor.peek(1).upper === 'ENFORCED')
    if (isNot) context.changed(line, unenforced)
    if (cursor.isWord('NOT') && cursor.peek(1).upper === 'DEFERRABLE') cursor.take()
    else if (cursor.isWord('DEFERRABLE')) context.remarkOnce({ line, kind: 'changed', message: deferrable })
  }
}

/** Reads a comment after the column list and reports clauses that affect the rows. */
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
      const isReported =
        cursor.isWord('INHERITS', 'PARTITION', 'SELECT', 'AS') ||
        (cursor.isWord('SYSTEM') && cursor.peek(1).upper === 'VERSIONING') ||
        (cursor.isWord('EXTERNAL') && context.dialect === 'oracle')
      if (isReported)
        context.lost(context.lineOf(token), `${token.upper} of table ${context.quoted(table.name)} is ignored.`)
      cursor.skipOne()
    }
  }
}
