import type { Context } from './context.ts'
import { isSign, type Token } from './token.ts'

/** `prefix`: a column of which only the beginning counts, so many characters. */
export type KeyColumns = { columns: string[]; prefix: { column: string; length: string } | null }

/** `(a, "b" DESC, c(10))`; null where one is no column but an expression. */
export function keyColumns({ cursor }: Context): KeyColumns | null {
  const items: Token[][] = [[]]
  let depth = 0
  for (const token of cursor.parenthesised()) {
    if (isSign(token, '(')) depth += 1
    if (isSign(token, ')')) depth -= 1
    if (depth === 0 && isSign(token, ',')) items.push([])
    else items.at(-1)?.push(token)
  }
  const found: KeyColumns = { columns: [], prefix: null }
  for (const item of items) {
    const column = nameOf(item)
    if (column === null) return null
    found.columns.push(column)
    if (isSign(item[1], '(')) found.prefix ??= { column, length: item[2]?.value ?? '' }
  }
  return found
}

/** Whatever has another beginning differs as a whole; what differs behind it the database refuses. */
export function tellOfPrefix(context: Context, line: number, { columns, prefix }: KeyColumns): void {
  if (!prefix || columns.length > 1) return
  context.remark(
    line,
    `Of ${context.quoted(prefix.column)} the database compares the first ${prefix.length} characters only: it is unique as a whole.`,
  )
}

function nameOf([first, second, third, fourth]: readonly Token[]): string | null {
  if (first?.kind !== 'name' && first?.kind !== 'word') return null
  if (!second || second.kind === 'word' || second.kind === 'name') return first.value
  // So many characters of it are indexed.
  const isPrefix = isSign(second, '(') && third?.kind === 'number' && isSign(fourth, ')')
  return isPrefix ? first.value : null
}
