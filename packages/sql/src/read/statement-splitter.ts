import { isEnd, isSign, type Token } from './token.ts'

/** Words that begin a statement of SQL Server at the start of a line. */
const statementWords = new Set(
  `CREATE ALTER DROP EXEC EXECUTE SET USE INSERT UPDATE DELETE MERGE TRUNCATE SELECT PRINT IF ELSE BEGIN END WHILE RETURN DECLARE GRANT
  DENY REVOKE`.split(/\s+/),
)

/** Words that continue a statement although they could begin one: by the preceding word, and by the following one. */
const continuedAfter: Readonly<Record<string, ReadonlySet<string> | undefined>> = {
  SET: new Set(['DELETE', 'UPDATE', 'TABLE']),
  DELETE: new Set(['ON']),
  UPDATE: new Set(['ON']),
  IF: new Set(['TABLE', 'INDEX']),
}
const continuedBy: Readonly<Record<string, ReadonlySet<string> | undefined>> = {
  ALTER: new Set(['COLUMN']),
  DROP: new Set(['COLUMN', 'CONSTRAINT', 'PERIOD']),
  SET: new Set(['(']),
}

const caseWords = new Set(['ELSE', 'END'])

/**
 * Inserts a semicolon before each statement of SQL Server, which does not require one to end the previous statement.
 */
export class StatementSplitter {
  readonly #read: () => Token
  /** Tokens read ahead. */
  readonly #lookahead: Token[] = []
  /** The token after an inserted semicolon. */
  #pending: Token | undefined
  #depth = 0
  /** Number of open CASE expressions. */
  #cases = 0
  /** The preceding word in capitals, '' if it is not a word. */
  #last = ''
  #isOpen = false

  constructor(read: () => Token) {
    this.#read = read
  }

  next(): Token {
    const pending = this.#pending
    this.#pending = undefined
    if (pending) return pending
    const token = this.#lookahead.shift() ?? this.#read()
    const isStart = this.#isOpen && this.#depth === 0 && this.#isStart(token)
    if (isStart) this.#cases = 0
    this.#track(token)
    if (!isStart) return token
    this.#pending = token
    return { kind: 'sign', value: ';', upper: '', at: token.at, end: token.at, first: false }
  }

  #track(token: Token): void {
    const isOver = isEnd(token)
    if (isOver) [this.#depth, this.#cases] = [0, 0]
    else if (isSign(token, '(')) this.#depth += 1
    else if (isSign(token, ')')) this.#depth = Math.max(0, this.#depth - 1)
    if (token.upper === 'CASE') this.#cases += 1
    if (token.upper === 'END') this.#cases = Math.max(0, this.#cases - 1)
    this.#isOpen = !isOver
    this.#last = token.upper
  }

  #isStart({ first, kind, upper }: Token): boolean {
    if (!first || kind !== 'word' || !statementWords.has(upper)) return false
    if (continuedAfter[upper]?.has(this.#last) || (this.#cases > 0 && caseWords.has(upper))) return false
    const followers = continuedBy[upper]
    if (!followers) return true
    const next = this.#read()
    this.#lookahead.push(next)
    return !followers.has(next.kind === 'word' ? next.upper : next.value)
  }
}
