import type { Context } from './context.ts'
import { parseExpression } from './expression-parser.ts'
import { type KeyColumns, keyOf, remarkPrefix } from './keys.ts'
import { definePart } from './parts.ts'
import { isEnd, isSign, type Token } from './token.ts'

/** Applies CREATE [UNIQUE …] INDEX; the cursor is after INDEX. */
export function createIndex(context: Context, start: Token, modifiers: ReadonlySet<string>): void {
  const { cursor, schema } = context
  const line = context.lineOf(start)
  cursor.skipWords('CONCURRENTLY')
  cursor.skipWords('IF', 'NOT', 'EXISTS')
  const first = cursor.peek()
  const name = cursor.isWord('ON') ? '' : (cursor.qualifiedName().at(-1) ?? '')
  while (!isEnd(cursor.peek()) && !cursor.isWord('ON')) cursor.take()
  cursor.expectWord('ON')
  cursor.skipWords('ONLY')
  const parts = cursor.qualifiedName()
  const table = schema.tables.find(parts)
  if (!table) {
    const message = `${context.quoted(parts.join('.'))} has an index but is not created in the script: the index is ignored.`
    return context.waitFor('table', parts, { start, message })
  }
  while (!isEnd(cursor.peek()) && !cursor.isSign('(')) cursor.take()
  const open = cursor.peek()
  const { key, tokens } = keyList(context)
  const { isPartial, isOneNull } = rowsOf(context, key?.columns ?? [])
  const isSpecial = ['FULLTEXT', 'SPATIAL', 'COLUMNSTORE'].some(word => modifiers.has(word))
  if (!key || isPartial || isSpecial) {
    const what = name === '' ? 'INDEX' : `INDEX ${first.value}`
    const message = `${what} ${context.textFrom(open)}`
    return definePart(context, table, { kind: 'other', name, line, columns: key?.columns ?? [], message, tokens })
  }
  const { columns } = key
  if (!modifiers.has('UNIQUE')) return definePart(context, table, { kind: 'index', name, line, columns, isOneNull })
  remarkPrefix(context, line, key)
  definePart(context, table, { kind: 'unique', name, line, columns, isOneNull })
}

/** The key, and the tokens between its parentheses. */
function keyList({ cursor }: Context): { key: KeyColumns | null; tokens: readonly Token[] } {
  const tokens = cursor.parenthesised()
  return { key: keyOf(tokens), tokens }
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
