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
  /** The offset after it. */
  readonly end: number
  readonly first: boolean
}

export function isSign(token: Token | undefined, sign: string): boolean {
  return token?.kind === 'sign' && token.value === sign
}

export function isEnd(token: Token): boolean {
  return token.kind === 'end' || token.kind === 'break' || isSign(token, ';')
}

/** Maps offsets to lines and columns; the line starts are determined on first use. */
export class LineIndex {
  readonly #text: string
  #starts: number[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  position(at: number): { line: number; column: number } {
    const starts = (this.#starts ??= this.#find())
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= at) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: at - (starts[low] ?? 0) + 1 }
  }

  #find(): number[] {
    const starts = [0]
    for (let at = this.#text.indexOf('\n'); at >= 0; at = this.#text.indexOf('\n', at + 1)) starts.push(at + 1)
    return starts
  }
}

/** A script that cannot be parsed. Line and column count from 1; the message may be shown to users. */
export class SqlError extends Error {
  readonly line: number
  readonly column: number
  /** The message without the position. */
  readonly reason: string

  constructor(message: string, { line, column }: { line: number; column: number }) {
    super(`Line ${line}, column ${column}: ${message}`)
    this.name = 'SqlError'
    this.reason = message
    this.line = line
    this.column = column
  }
}

/** Shortens and flattens text of a script for use in a message. */
export function shown(text: string, length = 60): string {
  const points = Array.from(text.slice(0, 2 * length).replaceAll(/\s+/g, ' '))
  return points.length > length ? `${points.slice(0, length - 1).join('')}…` : points.join('')
}
