import { InnerStatements } from './inner-statements.ts'
import type { Lexer } from './lexer.ts'
import { shown } from './sql-error.ts'
import { isEnd, isSign, type Token } from './token.ts'

/** The tokens of a script with a look at the next ones. */
export class Cursor {
  readonly #lexer: Lexer
  readonly #seen: Token[] = []
  readonly inner = new InnerStatements()

  constructor(lexer: Lexer) {
    this.#lexer = lexer
  }

  peek(ahead = 0): Token {
    for (;;) {
      const token = this.#seen[ahead]
      if (token) return token
      this.#seen.push(this.#lexer.next())
    }
  }

  take(): Token {
    const token = this.#seen.shift() ?? this.#lexer.next()
    this.inner.see(token)
    return token
  }

  isSign(sign: string): boolean {
    return isSign(this.peek(), sign)
  }

  isWord(...words: readonly string[]): boolean {
    const { kind, upper } = this.peek()
    return kind === 'word' && words.includes(upper)
  }

  /** Passes over the words where they stand here one after the other. */
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

  /** A name, quoted or not. */
  name(): string {
    const { kind, value } = this.peek()
    if (kind !== 'name' && kind !== 'word') this.fail('a name is expected')
    this.take()
    return value
  }

  /** `a`, `s.a`, `d.s.a`: the last part is the thing's own. */
  qualifiedName(): string[] {
    const parts = [this.name()]
    while (this.skipSign('.')) parts.push(this.name())
    return parts
  }

  /** What stands between the parenthesis here and the one that closes it, without both. */
  parenthesised(): Token[] {
    const start = this.peek()
    this.expectSign('(')
    const inside: Token[] = []
    for (let depth = 1; ;) {
      const token = this.peek()
      if (isEnd(token)) this.failAt('the parenthesis that opens here is not closed', start)
      this.take()
      if (isSign(token, '(')) depth += 1
      else if (isSign(token, ')')) depth -= 1
      if (depth === 0) return inside
      inside.push(token)
    }
  }

  /** Passes over one token, or over all of what is in parentheses. */
  skipOne(): void {
    if (this.isSign('(')) this.parenthesised()
    else this.take()
  }

  /** Whether a list's item or a statement ends here. */
  isItemEnd(): boolean {
    const token = this.peek()
    return isEnd(token) || isSign(token, ',') || isSign(token, ')')
  }

  skipItem(): void {
    while (!this.isItemEnd()) this.skipOne()
  }

  /** Says what is expected and what is here instead. */
  fail(expectation: string): never {
    const token = this.peek()
    const found = token.kind === 'end' ? 'the script ends' : `there is '${shown(token.value)}'`
    return this.#lexer.fail(`${expectation}, but ${found}.`, token.at)
  }

  failAt(message: string, { at }: Token): never {
    return this.#lexer.fail(`${message}.`, at)
  }

  /** Passes over the rest of the line that the token stands in, whatever is in it. */
  skipLine({ at }: Token): void {
    const end = this.#lexer.skipLine(at)
    while (this.#seen[0] && this.#seen[0].at < end) this.#seen.shift()
  }

  skipRows(): void {
    this.#lexer.skipRows()
  }
}
