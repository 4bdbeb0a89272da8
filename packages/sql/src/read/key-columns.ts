import type { Context } from './context.ts'
import { isSign, type Token } from './token.ts'

/** `(a, "b" DESC, c(10))`: the names; null where one is none but an expression. */
export function keyColumns({ cursor }: Context): string[] | null {
  const items: Token[][] = [[]]
  let depth = 0
  for (const token of cursor.parenthesised()) {
    if (isSign(token, '(')) depth += 1
    if (isSign(token, ')')) depth -= 1
    if (depth === 0 && isSign(token, ',')) items.push([])
    else items.at(-1)?.push(token)
  }
  const names = items.map(nameOf)
  return names.every(name => name !== null) ? names : null
}

function nameOf([first, second, third, fourth]: readonly Token[]): string | null {
  if (first?.kind !== 'name' && first?.kind !== 'word') return null
  if (!second || second.kind === 'word' || second.kind === 'name') return first.value
  // So many characters of it are indexed.
  const isPrefix = isSign(second, '(') && third?.kind === 'number' && isSign(fourth, ')')
  return isPrefix ? first.value : null
}
