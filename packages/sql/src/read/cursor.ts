import type { Lexer } from './lexer.ts'
import { isEnd, isSign, shown, type Token } from './token.ts'

/** Number of tokens of the longest list or expression that is read; rows of data are skipped. */
const maxInside = 1_000_000

/** The tokens of a script, with lookahead. */
export class Cursor {
  readonly #lexer: Lexer
  readonly #lookahead: Token[] = []
  readonly inner = new InnerStatements()

  constructor(lexer: Lexer) {
    this.#lexer = lexer
  }

  peek(ahead = 0): Token {
    for (;;) {
      const token = this.#lookahead[ahead]
      if (token) return token
      this.#lookahead.push(this.#lexer.next())
    }
  }

  take(): Token {
    const token = this.#lookahead.shift() ?? this.#lexer.next()
    this.inner.track(token)
    return token
  }

  isSign(sign: string): boolean {
    return isSign(this.peek(), sign)
  }

  isWord(...words: readonly string[]): boolean {
    const { kind, upper } = this.peek()
    return kind === 'word' && words.includes(upper)
  }

  /** Skips the words if all of them follow at the cursor. */
  skipWords(...words: readonly string[]): boolean {
    if (!words.every((word, index) => this.peek(index).upper === word)) return false
    for (const _word of words) this.take()
    return true
  }

  skipSign(sign: string): boolean {
    if (!this.isSign(sign)) return false
    this.take()
    return true
  }

  expectSign(sign: string): void {
    if (!this.skipSign(sign)) this.fail(`'${sign}' is expected`)
  }

  expectWord(word: string): void {
    if (!this.skipWords(word)) this.fail(`${word} is expected`)
  }

  /** The statements between two offsets of the script. */
  part(from: number, to: number): Cursor {
    return new Cursor(this.#lexer.part(from, to))
  }

  /** The text of the script from a token up to the cursor. */
  textFrom({ at }: Token): string {
    return this.#lexer.textBetween(at, this.peek().at).trim()
  }

  textBetween(from: number, to: number): string {
    return this.#lexer.textBetween(from, to)
  }

  /** Whether statements end with a delimiter other than the semicolon. */
  get isDelimited(): boolean {
    return this.#lexer.isDelimited
  }

  /** A quoted or unquoted name. */
  name(): string {
    const { kind, value } = this.peek()
    if (kind !== 'name' && kind !== 'word') this.fail('a name is expected')
    this.take()
    return value
  }

  /** A name, or a text in its place, as MySQL has it for character sets. */
  nameOrText(): string {
    return this.peek().kind === 'text' ? this.take().value : this.name()
  }

  /** `a`, `s.a`, `d.s.a`: the last part is the object's own name. */
  qualifiedName(): string[] {
    const parts = [this.name()]
    while (this.skipSign('.')) parts.push(this.name())
    return parts
  }

  /** The tokens between the parenthesis at the cursor and the matching closing one. */
  parenthesised(): Token[] {
    const start = this.peek()
    this.expectSign('(')
    const inside: Token[] = []
    for (let depth = 1; ;) {
      const token = this.peek()
      if (isEnd(token)) this.failUnclosed(start)
      this.take()
      if (isSign(token, '(')) depth += 1
      else if (isSign(token, ')')) depth -= 1
      if (depth === 0) return inside
      inside.push(token)
      if (inside.length > maxInside) this.failAt('the text in the parenthesis that opens here is too long', start)
    }
  }

  /** Skips one token, or a whole parenthesised group. */
  skipOne(): void {
    const start = this.take()
    if (!isSign(start, '(')) return
    for (let depth = 1; depth > 0;) {
      const token = this.peek()
      if (isEnd(token)) this.failUnclosed(start)
      this.take()
      if (isSign(token, '(')) depth += 1
      else if (isSign(token, ')')) depth -= 1
    }
  }

  failUnclosed(start: Token): never {
    return this.failAt('the parenthesis that opens here is not closed', start)
  }

  /** Whether an item of a list, or the statement, ends here. */
  isItemEnd(): boolean {
    const token = this.peek()
    return isEnd(token) || isSign(token, ',') || isSign(token, ')')
  }

  skipItem(): void {
    while (!this.isItemEnd()) this.skipOne()
  }

  skipStatement(): void {
    while (!isEnd(this.peek())) this.take()
  }

  /** Skips a statement that contains others, up to the end of its batch. */
  skipBatch(): void {
    this.inner.pauseWhile(() => {
      while (!isBatchEnd(this.peek())) {
        this.take()
        if (this.#lookahead.length === 0) this.#lexer.skipToDelimiter()
      }
    })
  }

  /** Fails with the expected and the actual token. */
  fail(expectation: string): never {
    const token = this.peek()
    const actual = token.kind === 'end' ? 'the script ends' : `there is '${shown(token.value)}'`
    return this.#lexer.fail(`${expectation}, but ${actual}.`, token.at)
  }

  failAt(message: string, { at }: Token): never {
    return this.#lexer.fail(`${message}.`, at)
  }

  /** Skips the rest of the token's line, whatever it contains. */
  skipLine({ at }: Token): void {
    const end = this.#lexer.skipLine(at)
    while (this.#lookahead[0] && this.#lookahead[0].at < end) this.#lookahead.shift()
  }

  skipRows(): void {
    this.#lexer.skipRows()
  }
}

function isBatchEnd({ kind }: Token): boolean {
  return kind === 'end' || kind === 'break'
}

/** Words allowed between CREATE and TABLE. */
const between = new Set(
  'OR REPLACE GLOBAL LOCAL TEMPORARY TEMP UNLOGGED MEMORY CACHED TEXT FOREIGN EXTERNAL PRIVATE IMMUTABLE'.split(' '),
)

/** After these, CREATE TABLE and ALTER TABLE name a privilege. */
const privilegeWords = new Set(['GRANT', 'DENY', 'REVOKE', ','])

/**
 * Detects CREATE TABLE and ALTER TABLE inside other statements, so that they are reported rather than lost silently.
 */
class InnerStatements {
  #start: Token | undefined
  readonly #unread = new Map<number, Token>()
  #isPaused = false
  /** The preceding word or sign. */
  #last = ''

  track(token: Token): void {
    if (this.#isPaused) return
    const isGranted = privilegeWords.has(this.#last)
    this.#last = token.kind === 'sign' ? token.value : token.upper
    if (token.kind !== 'word') this.#start = undefined
    else if (!isGranted && (token.upper === 'CREATE' || token.upper === 'ALTER')) this.#start = token
    else if (token.upper === 'TABLE' && this.#start) this.#unread.set(this.#start.at, this.#start)
    if (!between.has(token.upper) && token !== this.#start) this.#start = undefined
  }

  /** Marks the statement that begins at the token as read. */
  markRead({ at }: Token): void {
    this.#unread.delete(at)
  }

  /** Reads statements that contain others, which are reported as a whole. */
  pauseWhile(read: () => void): void {
    this.#isPaused = true
    read()
    this.#isPaused = false
  }

  get unread(): readonly Token[] {
    return [...this.#unread.values()]
  }
}
