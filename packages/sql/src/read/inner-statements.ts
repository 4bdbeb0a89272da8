import type { Token } from './token.ts'

/** Words allowed between CREATE and TABLE. */
const between = new Set(
  'OR REPLACE GLOBAL LOCAL TEMPORARY TEMP UNLOGGED MEMORY CACHED TEXT FOREIGN EXTERNAL PRIVATE IMMUTABLE'.split(' '),
)

/** After these, CREATE TABLE and ALTER TABLE name a privilege. */
const privilegeWords = new Set(['GRANT', 'DENY', 'REVOKE', ','])

/**
 * Detects CREATE TABLE and ALTER TABLE inside other statements, so that they are reported rather than lost silently.
 */
export class InnerStatements {
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
