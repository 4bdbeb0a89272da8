import type { DatabaseType } from '@cadmus/model/database-types'
import type { LineIndex } from './line-index.ts'
import { SqlError } from './sql-error.ts'
import { readQuoted } from './quoted.ts'
import type { Token } from './token.ts'

const wordPattern = /[\p{L}_@#][\p{L}\p{N}\p{M}_$#@]*/uy
const numberPattern = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y
const hexPattern = /0[xX]([\da-fA-F]*)/y
const dollarPattern = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy
const blankPattern = /[\s\ufeff]+/y
const signs = ['::', '||', '<=', '>=', '<>', '!=', '!~', '~*'] as const

/**
 * Turns a script into tokens, one after the other, so that what nobody needs is nowhere kept. Every character is walked over a
 * bounded number of times.
 */
export class Lexer {
  readonly #text: string
  readonly #dialect: DatabaseType
  readonly #lines: LineIndex
  readonly #onRemark: (text: string) => void
  #at = 0
  /** Whether nothing but blanks was met since the line began. */
  #first = true
  /** Within a comment that one server's programs read as SQL. */
  #isExecuted = false
  #waiting: Token[] = []

  constructor(text: string, dialect: DatabaseType, lines: LineIndex, onRemark: (text: string) => void) {
    this.#text = text
    this.#dialect = dialect
    this.#lines = lines
    this.#onRemark = onRemark
  }

  next(): Token {
    const waiting = this.#waiting.shift()
    if (waiting) return waiting
    this.#skipBlanks()
    const [text, at] = [this.#text, this.#at]
    if (at >= text.length) return this.#token('end', '')
    const character = text[at] ?? ''
    if (this.#first) {
      const whole = this.#wholeLine(at)
      if (whole) return whole
    }
    const quoted = this.#quoted(character)
    if (quoted) return quoted
    const word = this.#match(wordPattern)
    if (word !== undefined) return this.#word(word)
    if (/[\d.]/.test(character)) {
      const number = this.#number()
      if (number) return number
    }
    const sign = signs.find(one => text.startsWith(one, at)) ?? String.fromCodePoint(text.codePointAt(at) ?? 0)
    this.#at += sign.length
    return this.#token('sign', sign, at)
  }

  /** Passes over rows that stand in the script as they are, up to the line that ends them. */
  skipRows(): void {
    const end = this.#text.indexOf('\n\\.', this.#at)
    this.#at = end < 0 ? this.#text.length : this.#endOfLine(end + 1)
  }

  fail(message: string, at: number): never {
    throw new SqlError(message, this.#lines.place(at))
  }

  #token(kind: Token['kind'], value: string, at = this.#at): Token {
    const first = this.#first
    this.#first = false
    return { kind, value, upper: kind === 'word' ? value.toUpperCase() : '', at, first }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#text)?.[0]
  }

  #skipBlanks(): void {
    for (;;) {
      const blank = this.#match(blankPattern)
      if (blank !== undefined) {
        this.#first ||= blank.includes('\n')
        this.#at += blank.length
      }
      if (!this.#skipComment() && !this.#skipCommand()) return
    }
  }

  /** Whether there was a line that is no SQL but a word to PostgreSQL's command-line tool. */
  #skipCommand(): boolean {
    if (!this.#first || this.#dialect !== 'postgresql' || this.#text[this.#at] !== '\\') return false
    this.#at = this.#endOfLine(this.#at)
    return true
  }

  /** Whether there was one. */
  #skipComment(): boolean {
    const [text, at] = [this.#text, this.#at]
    const isHash = this.#dialect === 'mysql' && text[at] === '#'
    if (isHash || text.startsWith('--', at)) {
      this.#at = this.#endOfLine(at)
      this.#onRemark(text.slice(at + (isHash ? 1 : 2), Math.min(this.#at, at + 1000)).trim())
      return true
    }
    if (this.#isExecuted && text.startsWith('*/', at)) {
      this.#isExecuted = false
      this.#at += 2
      return true
    }
    if (!text.startsWith('/*', at)) return false
    if (this.#dialect === 'mysql' && text[at + 2] === '!') {
      this.#isExecuted = true
      this.#at += 3 + (/^\d*/.exec(text.slice(at + 3, at + 10))?.[0].length ?? 0)
      return true
    }
    this.#at = this.#endOfComment(at)
    return true
  }

  #endOfComment(start: number): number {
    const nests = this.#dialect === 'postgresql' || this.#dialect === 'mssql'
    const marks = /\/\*|\*\//g
    marks.lastIndex = start + 2
    let depth = 1
    for (let mark = marks.exec(this.#text); mark; mark = marks.exec(this.#text)) {
      if (mark[0] === '*/') depth -= 1
      else if (nests) depth += 1
      if (depth === 0) return mark.index + 2
    }
    return this.fail('The comment that begins here does not end.', start)
  }

  #endOfLine(at: number): number {
    const end = this.#text.indexOf('\n', at)
    return end < 0 ? this.#text.length : end
  }

  /** Lines that mean something to a command-line tool, or undefined. */
  #wholeLine(at: number): Token | undefined {
    const text = this.#text
    const end = this.#endOfLine(at)
    const line = text.slice(at, Math.min(end, at + 40)).trimEnd()
    const isBreak =
      this.#dialect === 'mssql' ? /^go(?:\s+\d+)?$/i.test(line) : this.#dialect === 'oracle' && line === '/'
    if (isBreak) {
      this.#at = end
      return this.#token('break', line, at)
    }
    if (this.#dialect !== 'mysql' || !/^delimiter\s+\S/i.test(line)) return undefined
    return this.#skipRoutines(at, end)
  }

  /** What stands between two changes of the delimiter is one statement, whatever is in it. */
  #skipRoutines(at: number, end: number): Token {
    const back = /^delimiter[ \t]+;/gim
    back.lastIndex = end
    const found = back.exec(this.#text)
    this.#at = found ? this.#endOfLine(found.index) : this.#text.length
    const word = this.#token('word', 'DELIMITER', at)
    this.#waiting.push({ kind: 'sign', value: ';', upper: '', at: this.#at, first: false })
    return word
  }

  #quoted(character: string): Token | undefined {
    const isMysql = this.#dialect === 'mysql'
    if (character === "'" || (character === '"' && isMysql)) return this.#textFrom(this.#at, this.#at, isMysql)
    if (character === '"' || character === '`') return this.#name(character)
    if (character === '[' && this.#dialect === 'mssql') return this.#name(']')
    if (character !== '$' || this.#dialect !== 'postgresql') return undefined
    const tag = this.#match(dollarPattern)
    return tag === undefined ? undefined : this.#textUpTo(tag, this.#at, this.#at + tag.length)
  }

  /** A text whose quote stands at `open`; `at` is where its prefix begins. */
  #textFrom(at: number, open: number, escapes: boolean): Token {
    const { value, end } = readQuoted(this.#text, open, this.#text[open] ?? '', escapes) ?? this.#endless(at)
    this.#at = end
    return this.#token('text', value, at)
  }

  #textUpTo(mark: string, at: number, start: number): Token {
    const end = this.#text.indexOf(mark, start)
    if (end < 0) this.#endless(at)
    this.#at = end + mark.length
    return this.#token('text', this.#text.slice(start, end), at)
  }

  #name(close: string): Token {
    const at = this.#at
    const { value, end } =
      readQuoted(this.#text, at, close, false) ?? this.fail('The name that begins here does not end.', at)
    this.#at = end
    return this.#token('name', value, at)
  }

  #endless(at: number): never {
    return this.fail('The text that begins here does not end.', at)
  }

  /** A word, or the text that it is the prefix of. */
  #word(word: string): Token {
    const at = this.#at
    const end = at + word.length
    this.#at = end
    const upper = word.toUpperCase()
    const next = this.#text[end]
    if (upper === 'U' && this.#text.startsWith("&'", end)) return this.#textFrom(at, end + 1, false)
    if (next !== "'") return this.#token('word', word, at)
    if (upper === 'E') return this.#textFrom(at, end, true)
    if (upper === 'X' || upper === 'B') return this.#bytes(upper, at, end)
    if ((upper === 'Q' || upper === 'NQ') && this.#dialect === 'oracle') {
      const open = this.#text[end + 1] ?? ''
      return this.#textUpTo(`${closing[open] ?? open}'`, at, end + 2)
    }
    if (upper === 'N' || word.startsWith('_')) return this.#textFrom(at, end, this.#dialect === 'mysql')
    return this.#token('word', word, at)
  }

  /** `X'00ff'`, or bits as the number that they are. */
  #bytes(kind: 'X' | 'B', at: number, open: number): Token {
    const { value } = this.#textFrom(at, open, false)
    const isWhole = kind === 'X' ? /^(?:[\da-f]{2})*$/i.test(value) : /^[01]{1,64}$/.test(value)
    if (!isWhole) return this.#token('text', value, at)
    return kind === 'X' ? this.#token('bytes', value, at) : this.#token('number', String(BigInt(`0b${value}`)), at)
  }

  #number(): Token | undefined {
    const at = this.#at
    hexPattern.lastIndex = at
    const [hex, digits] = hexPattern.exec(this.#text) ?? []
    const number = hex ?? this.#match(numberPattern)
    if (number === undefined) return undefined
    this.#at += number.length
    return digits === undefined ? this.#token('number', number, at) : this.#token('bytes', digits, at)
  }
}

const closing: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}', '<': '>' }
