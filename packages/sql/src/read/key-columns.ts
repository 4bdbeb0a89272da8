import type { Context } from './context.ts'
import { isSign, type Token } from './token.ts'

/** `prefix`: a column of which only the first characters are compared. */
export type KeyColumns = { columns: string[]; prefix: { column: string; length: string } | null }

/** `(a, "b" DESC, c(10))`; null if an item is an expression. */
export function keyColumns({ cursor }: Context): KeyColumns | null {
  const items: Token[][] = [[]]
  let depth = 0
  for (const token of cursor.parenthesised()) {
    if (isSign(token, '(')) depth += 1
    if (isSign(token, ')')) depth -= 1
    if (depth === 0 && isSign(token, ',')) items.push([])
    else items.at(-1)?.push(token)
  }
  const key: KeyColumns = { columns: [], prefix: null }
  for (const item of items) {
    const column = nameOf(item)
    if (column === null) return null
    key.columns.push(column)
    if (isSign(item[1], '(')) key.prefix ??= { column, length: item[2]?.value ?? '' }
  }
  return key
}

/** A unique prefix is stricter than a unique column: values that differ only after it are rejected by the database. */
export function remarkPrefix(context: Context, line: number, { columns, prefix }: KeyColumns): void {
  if (!prefix || columns.length > 1) return
  context.remark(
    line,
    `${context.quoted(prefix.column)} is unique by its first ${prefix.length} characters: it is imported as unique as a whole.`,
  )
}

function nameOf([first, second, third, fourth]: readonly Token[]): string | null {
  if (first?.kind !== 'name' && first?.kind !== 'word') return null
  if (!second || second.kind === 'word' || second.kind === 'name') return first.value
  // `name(10)`: the number of indexed characters.
  const isPrefix = isSign(second, '(') && third?.kind === 'number' && isSign(fourth, ')')
  return isPrefix ? first.value : null
}
