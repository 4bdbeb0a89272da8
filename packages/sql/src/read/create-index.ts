import type { Context } from './context.ts'
import { parseExpression } from './expression-parser.ts'
import { keyColumns } from './key-columns.ts'
import { isEnd, isSign, type Token } from './token.ts'

/** What stands behind CREATE [UNIQUE …] INDEX. */
export function createIndex(context: Context, start: Token, modifiers: readonly string[]): void {
  const { cursor, schema } = context
  const line = context.lineOf(start)
  cursor.skipWords('CONCURRENTLY')
  cursor.skipWords('IF', 'NOT', 'EXISTS')
  if (!cursor.isWord('ON')) cursor.qualifiedName()
  cursor.expectWord('ON')
  cursor.skipWords('ONLY')
  const parts = cursor.qualifiedName()
  const table = schema.find(parts)
  while (!isEnd(cursor.peek()) && !cursor.isSign('(')) cursor.take()
  const columns = keyColumns(context)
  const isWhole = !isPartial(context, columns)
  if (!table) {
    const name = context.quoted(parts.join('.'))
    return context.remark(line, `${name} has an index, but is not made in the script: the index is left out.`)
  }
  const isKnown = isWhole && !modifiers.includes('FULLTEXT') && !modifiers.includes('SPATIAL')
  if (!columns || !isKnown)
    return context.remark(line, 'An index of expressions, of some rows or of its own kind is left out.')
  if (modifiers.includes('UNIQUE')) table.uniques.push({ columns, line })
  else table.indexes.push({ columns, line })
}

/** Whether the index leaves out rows, those without a value excepted: a unique column may be missing in any number of them. */
function isPartial(context: Context, columns: readonly string[] | null): boolean {
  const { cursor } = context
  while (!isEnd(cursor.peek()) && !cursor.isWord('WHERE')) cursor.skipOne()
  if (!cursor.skipWords('WHERE')) return false
  const condition: Token[] = []
  let depth = 0
  for (let token = cursor.peek(); !isEnd(token); token = cursor.peek()) {
    if (depth === 0 && cursor.isWord('WITH', 'ON', 'TABLESPACE')) break
    if (isSign(token, '(')) depth += 1
    if (isSign(token, ')')) depth -= 1
    condition.push(cursor.take())
  }
  const found = parseExpression(condition)
  const isPresence = found?.kind === 'isPresent' && found.part.kind === 'column'
  return !(isPresence && columns?.length === 1 && columns[0] === found.part.name)
}
