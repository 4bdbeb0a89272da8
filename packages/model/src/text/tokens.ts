import { textTexts } from '../messages/text.ts'
import { finish, type Steps } from '../steps.ts'
import type { TextProblem } from './marked-text.ts'

/** `text`: the value, without quotes and escapes. A line break separates the lines of a block. */
export type Token = {
  kind: 'word' | 'name' | 'string' | 'expression' | 'sign' | 'line' | 'end'
  from: number
  to: number
  text: string
}

const spaces = /[^\S\n]+/y
/** A number with a fraction or an exponent is one word; other words end at a dot. */
const number = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\p{L}\p{M}\p{N}_])/uy
const plainWord = /[\p{L}\p{M}\p{N}_]+/uy
const colour = /#[\dA-Za-z]+/y

type Lexed = { tokens: Token[]; problems: TextProblem[] }

/** The tokens of a text in one pass, each character once; comments are left out. The last one is the end. */
export function tokensOf(text: string): Lexed {
  return finish(lexing(text))
}

export function* lexing(text: string): Steps<Lexed> {
  const lexer = new Lexer(text)
  return { tokens: yield* lexer.read(), problems: lexer.problems }
}

/** Tokens between two pauses: about those of a table, which is a step of what follows. */
const batch = 300

class Lexer {
  readonly problems: TextProblem[] = []
  readonly #text: string
  readonly #tokens: Token[] = []
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  *read(): Steps<Token[]> {
    for (let count = 1; this.#at < this.#text.length; count += 1) {
      this.#next()
      if (count % batch === 0) yield
    }
    this.#add('end', '', this.#at)
    return this.#tokens
  }

  #next(): void {
    const [text, from] = [this.#text, this.#at]
    const first = text.charAt(from)
    if (first === '\n') return this.#add('line', '\n', from + 1)
    if (text.startsWith('//', from)) return this.#skipTo(text.indexOf('\n', from))
    if (text.startsWith('/*', from)) return this.#comment()
    if (text.startsWith("'''", from)) return this.#quoted('string', "'''")
    if (first === "'") return this.#quoted('string', first)
    if (first === '"') return this.#quoted('name', first)
    if (first === '`') return this.#quoted('expression', first)
    if (this.#match(spaces) !== undefined) return
    const word = this.#match(number) ?? this.#match(plainWord) ?? this.#match(colour)
    if (word === undefined) this.#add('sign', first, from + 1)
    else this.#tokens.push({ kind: 'word', from, to: this.#at, text: word })
  }

  #add(kind: Token['kind'], text: string, to: number): void {
    this.#tokens.push({ kind, from: this.#at, to, text })
    this.#at = to
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)?.[0]
    this.#at += match?.length ?? 0
    return match
  }

  #skipTo(index: number): void {
    this.#at = index < 0 ? this.#text.length : index
  }

  #comment(): void {
    const end = this.#text.indexOf('*/', this.#at + 2)
    if (end < 0) this.problems.push({ from: this.#at, to: this.#at + 2, message: textTexts.openComment })
    this.#skipTo(end < 0 ? end : end + 2)
  }

  /** Up to the same quote; only three quotes go on after a line break. */
  #quoted(kind: 'string' | 'name' | 'expression', quote: string): void {
    const [text, from] = [this.#text, this.#at]
    const parts: string[] = []
    let at = from + quote.length
    let start = at
    for (;;) {
      const character = text.charAt(at)
      if (character === '' || (character === '\n' && quote.length === 1)) {
        this.problems.push({ from, to: at, message: textTexts.openQuote(quote) })
        break
      }
      if (text.startsWith(quote, at)) break
      if (character === '\\' && kind !== 'expression') {
        const escape = readEscape(text, at)
        parts.push(text.slice(start, at), escape.text)
        at = escape.to
        start = at
      } else at += 1
    }
    parts.push(text.slice(start, at))
    const value = parts.join('')
    const to = text.startsWith(quote, at) ? at + quote.length : at
    this.#add(kind, quote.length === 3 ? withoutIndent(value) : value, to)
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', v: '\v', b: '\b', f: '\f', '0': '\0' }

function readEscape(text: string, at: number): { text: string; to: number } {
  const character = text.charAt(at + 1)
  if (character === 'u' && /^[\dA-Fa-f]{4}$/.test(text.slice(at + 2, at + 6)))
    return { text: String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16)), to: at + 6 }
  // An escaped line break continues the line.
  return { text: character === '\n' ? '' : (escapes[character] ?? character), to: Math.min(text.length, at + 2) }
}

/** Text of several lines without their common indentation, and without the first and last line if they are blank. */
function withoutIndent(text: string): string {
  const lines = text.split('\n')
  const depths = lines.filter(line => line.trim() !== '').map(line => line.length - line.trimStart().length)
  const depth = depths.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY)
  const cut = lines.map(line => (line.trim() === '' ? '' : line.slice(depth)))
  const first = cut[0] === '' ? 1 : 0
  const last = cut.length > 1 && cut.at(-1) === '' ? cut.length - 1 : cut.length
  return cut.slice(first, last).join('\n')
}

/** Text in quotes, on one line. */
export function quoted(text: string, quote: "'" | '"'): string {
  const escaped = text.replaceAll(/["'\\\p{Cc}\p{Cs}\u2028\u2029]/gu, character => {
    if (character === '\\' || character === quote) return `\\${character}`
    if (character === '"' || character === "'") return character
    return character === '\n' ? '\\n' : `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
  })
  return `${quote}${escaped}${quote}`
}

/** A name as the text has it: in quotes only if it needs them. */
export function nameText(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quoted(name, '"')
}
