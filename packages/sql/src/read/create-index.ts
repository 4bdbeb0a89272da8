import type { Context } from './context.ts'
import { parseExpression } from './expression-parser.ts'
import { keyColumns, remarkPrefix } from './keys.ts'
import { isEnd, isSign, type Token } from './token.ts'

/** Applies CREATE [UNIQUE …] INDEX; the cursor is after INDEX. */
export function createIndex(context: Context, start: Token, modifiers: readonly string[]): void {
  const { cursor, schema } = context
  const line = context.lineOf(start)
  cursor.skipWords('CONCURRENTLY')
  cursor.skipWords('IF', 'NOT', 'EXISTS')
  if (!cursor.isWord('ON')) schema.indexNames.add(foldedName(cursor.qualifiedName()))
  cursor.expectWord('ON')
  cursor.skipWords('ONLY')
  const parts = cursor.qualifiedName()
  const table = schema.find(parts)
  while (!isEnd(cursor.peek()) && !cursor.isSign('(')) cursor.take()
  const key = keyColumns(context)
  const { isPartial, isOneNull } = rowsOf(context, key?.columns ?? [])
  if (!table) {
    const name = context.quoted(parts.join('.'))
    return context.remark(line, `${name} has an index but is not created in the script: the index is ignored.`)
  }
  const isKnown = !isPartial && !modifiers.includes('FULLTEXT') && !modifiers.includes('SPATIAL')
  if (!key || !isKnown) return context.remark(line, 'An expression, partial or special index is ignored.')
  if (!modifiers.includes('UNIQUE')) return void table.indexes.push({ columns: key.columns, line })
  remarkPrefix(context, line, key)
  table.uniques.push({ columns: key.columns, line, isOneNull })
}

/**
 * The rows that the index covers. `isPartial`: it omits rows other than those without a value, which a unique column
 * may omit; `isOneNull`: it allows only one row without a value.
 */
function rowsOf(context: Context, columns: readonly string[]): { isPartial: boolean; isOneNull: boolean } {
  const { cursor } = context
  let isOneNull = context.dialect === 'mssql'
  for (; !isEnd(cursor.peek()) && !cursor.isWord('WHERE'); cursor.skipOne()) {
    if (cursor.isWord('NULLS') && cursor.peek(1).upper === 'NOT') isOneNull = true
  }
  if (!cursor.skipWords('WHERE')) return { isPartial: false, isOneNull }
  const condition: Token[] = []
  let depth = 0
  for (let token = cursor.peek(); !isEnd(token); token = cursor.peek()) {
    if (depth === 0 && cursor.isWord('WITH', 'ON', 'TABLESPACE')) break
    if (isSign(token, '(')) depth += 1
    if (isSign(token, ')')) depth -= 1
    condition.push(cursor.take())
  }
  const expression = parseExpression(condition)
  const isPresence = expression?.kind === 'isPresent' && expression.part.kind === 'column'
  const coversPresent = isPresence && columns.length === 1 && columns[0] === expression.part.name
  return { isPartial: !coversPresent, isOneNull: false }
}

export function foldedName(parts: readonly string[]): string {
  return (parts.at(-1) ?? '').toLowerCase()
}
