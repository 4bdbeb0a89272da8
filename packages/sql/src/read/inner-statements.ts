import type { Token } from './token.ts'

/** What may stand between CREATE and TABLE. */
const between = new Set(
  'OR REPLACE GLOBAL LOCAL TEMPORARY TEMP UNLOGGED MEMORY CACHED TEXT FOREIGN EXTERNAL PRIVATE IMMUTABLE'.split(' '),
)

/** Behind these the same words say what somebody may. */
const granting = new Set(['GRANT', 'DENY', 'REVOKE', ','])

/**
 * Watches all words of a script for statements about tables: one that is not read as a statement stands within another, to which it was
 * taken as belonging, and must not be lost without a word.
 */
export class InnerStatements {
  #start: Token | undefined
  readonly #found = new Map<number, Token>()
  #isAside = false
  /** The word or sign before. */
  #last = ''

  see(token: Token): void {
    if (this.#isAside) return
    const isGranted = granting.has(this.#last)
    this.#last = token.kind === 'sign' ? token.value : token.upper
    if (token.kind !== 'word') this.#start = undefined
    else if (!isGranted && (token.upper === 'CREATE' || token.upper === 'ALTER')) this.#start = token
    else if (token.upper === 'TABLE' && this.#start) this.#found.set(this.#start.at, this.#start)
    if (!between.has(token.upper) && token !== this.#start) this.#start = undefined
  }

  /** The statement that begins there is read as one. */
  isRead({ at }: Token): void {
    this.#found.delete(at)
  }

  /** Passes over what holds statements of its own, which is told as a whole. */
  except(pass: () => void): void {
    this.#isAside = true
    pass()
    this.#isAside = false
  }

  get lost(): readonly Token[] {
    return [...this.#found.values()]
  }
}
