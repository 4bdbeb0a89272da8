import { columnDefinition, checkOf } from './column-definition.ts'
import type { Context } from './context.ts'
import { referenceOf, columnNames } from './foreign-key.ts'
import { keyColumns } from './key-columns.ts'
import { newTable, type RawTable } from './read-schema.ts'
import { skipStatement } from './skip.ts'
import { isEnd, type Token } from './token.ts'

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
  else if (cursor.isWord('LIKE', 'EXCLUDE', 'PERIOD') && context.dialect !== 'mysql') {
    const token = cursor.take()
    context.remark(context.lineOf(token), `${token.upper} in a table is not known: it is left out.`)
  } else columnDefinition(context, table)
  cursor.skipItem()
}

/** Whether a constraint or an index stands here, and no column. */
export function isConstraint({ cursor, dialect }: Context): boolean {
  if (cursor.isWord('CONSTRAINT', 'PRIMARY', 'UNIQUE', 'FOREIGN', 'CHECK')) return true
  return (dialect === 'mysql' || dialect === 'mssql') && cursor.isWord('KEY', 'INDEX', 'FULLTEXT', 'SPATIAL')
}

export function tableConstraint(context: Context, table: RawTable): void {
  const { cursor } = context
  if (cursor.skipWords('CONSTRAINT') && !cursor.isWord('PRIMARY', 'UNIQUE', 'FOREIGN', 'CHECK', 'DEFAULT'))
    cursor.name()
  const start = cursor.peek()
  const line = context.lineOf(start)
  if (cursor.isWord('CHECK')) checkOf(context, table)
  else if (cursor.skipWords('PRIMARY', 'KEY')) {
    const columns = listed(context)
    if (columns) table.primaryKey ??= columns
  } else if (cursor.skipWords('FOREIGN', 'KEY')) {
    skipTo(context, '(')
    const columns = columnNames(context)
    table.foreignKeys.push({ ...referenceOf(context), columns })
  } else {
    const isUnique = cursor.skipWords('UNIQUE')
    const isPlain = !cursor.skipWords('FULLTEXT') && !cursor.skipWords('SPATIAL')
    const columns = listed(context)
    if (!columns || !isPlain) context.remark(line, 'An index of expressions or of its own kind is left out.')
    else (isUnique ? table.uniques : table.indexes).push({ columns, line })
  }
}

/** The columns of a key, behind its name, kind and method. */
function listed(context: Context): string[] | null {
  skipTo(context, '(')
  return keyColumns(context)
}

function skipTo({ cursor }: Context, sign: string): void {
  while (!cursor.isItemEnd() && !cursor.isSign(sign)) cursor.take()
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
      const isTold = cursor.isWord('INHERITS', 'PARTITION', 'SELECT', 'AS')
      if (isTold)
        context.remark(context.lineOf(token), `${token.upper} of the table ${context.quoted(table.name)} is left out.`)
      cursor.skipOne()
    }
  }
}
