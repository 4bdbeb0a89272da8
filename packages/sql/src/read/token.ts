/**
 * `word`: an unquoted keyword or name; `name`: a quoted name; `break`: the end of a batch without a semicolon. `first`:
 * only white space precedes in the line. The value of `bits` is its digits.
 */
export type Token = {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'bytes' | 'bits' | 'sign' | 'break' | 'end'
  readonly value: string
  /** A word in capitals; '' for other tokens. */
  readonly upper: string
  readonly at: number
  readonly first: boolean
}

export function isSign(token: Token | undefined, sign: string): boolean {
  return token?.kind === 'sign' && token.value === sign
}

export function isEnd(token: Token): boolean {
  return token.kind === 'end' || token.kind === 'break' || isSign(token, ';')
}
