/**
 * `word`: as it stands, a keyword or a name; `name`: a quoted one; `break`: the end of a batch where no semicolon ends it. `first`:
 * nothing but blanks stands before it in its line. The value of `bits` are their digits.
 */
export type Token = {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'bytes' | 'bits' | 'sign' | 'break' | 'end'
  readonly value: string
  /** Of a word, in capitals; of others ''. */
  readonly upper: string
  readonly at: number
  readonly first: boolean
}

export function isSign(token: Token | undefined, sign: string): boolean {
  return token?.kind === 'sign' && token.value === sign
}

/** Whether a statement ends here. */
export function isEnd(token: Token): boolean {
  return token.kind === 'end' || token.kind === 'break' || isSign(token, ';')
}
