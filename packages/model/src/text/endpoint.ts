import type { Endpoint, Name } from './parsed-text.ts'
import type { Token } from './tokens.ts'

const endToken: Token = { kind: 'end', from: 0, to: 0, text: '' }

/** `table.column`, `schema.table.column`, `table.(column, column)`, or `table`, from an index on; null: none. */
export function endpointOf(tokens: readonly Token[], start: number): { endpoint: Endpoint; next: number } | null {
  const names: Name[] = []
  let at = start
  for (;;) {
    const token = tokens[at]
    if (token?.kind === 'word' || token?.kind === 'name')
      names.push({ from: token.from, to: token.to, text: token.text })
    else if (names.length > 0 && token?.kind === 'sign' && token.text === '(') return columnsOf(tokens, at, names)
    else return null
    at += 1
    const dot = tokens[at]
    if (dot?.kind !== 'sign' || dot.text !== '.') break
    at += 1
  }
  const table = names.at(-2) ?? names[0]
  const columns = names.length > 1 ? names.slice(-1) : []
  if (table === undefined) return null
  return { endpoint: { table, columns, from: names[0]?.from ?? 0, to: names.at(-1)?.to ?? 0 }, next: at }
}

function columnsOf(tokens: readonly Token[], open: number, names: readonly Name[]): ReturnType<typeof endpointOf> {
  const columns: Name[] = []
  for (let at = open + 1; ; at += 1) {
    const { kind, text, from, to } = tokens[at] ?? endToken
    if (kind === 'sign' && text === ')') {
      const table = names.at(-1)
      return table ? { endpoint: { table, columns, from: names[0]?.from ?? 0, to }, next: at + 1 } : null
    }
    if (kind === 'word' || kind === 'name') columns.push({ from, to, text })
    else if (kind !== 'sign' || text !== ',') return null
  }
}
