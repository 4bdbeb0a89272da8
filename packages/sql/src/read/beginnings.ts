import { isEnd, isSign, type Token } from './token.ts'

/** What a statement of SQL Server begins with, at the beginning of a line. */
const beginnings = new Set(
  `CREATE ALTER DROP EXEC EXECUTE SET USE INSERT UPDATE DELETE MERGE TRUNCATE SELECT PRINT IF ELSE BEGIN END WHILE RETURN DECLARE GRANT
  DENY REVOKE`.split(/\s+/),
)

/** What goes on with a statement, though it looks as if it began one: words by the word before them, and by the one behind. */
const behind: Readonly<Record<string, ReadonlySet<string> | undefined>> = {
  SET: new Set(['DELETE', 'UPDATE', 'TABLE']),
  DELETE: new Set(['ON']),
  UPDATE: new Set(['ON']),
  IF: new Set(['TABLE', 'INDEX']),
}
const before: Readonly<Record<string, ReadonlySet<string> | undefined>> = {
  ALTER: new Set(['COLUMN']),
  DROP: new Set(['COLUMN', 'CONSTRAINT', 'PERIOD']),
  SET: new Set(['(']),
}

const ofCases = new Set(['ELSE', 'END'])

/** Tokens with a semicolon before each statement of SQL Server that begins though none ended before it: it asks for none there. */
export class Beginnings {
  readonly #read: () => Token
  /** Read to look ahead. */
  readonly #taken: Token[] = []
  /** What stands behind a semicolon that was put there. */
  #held: Token | undefined
  #depth = 0
  /** How many CASE are open. */
  #cases = 0
  /** The word before, '' where it was none. */
  #last = ''
  #isOpen = false

  constructor(read: () => Token) {
    this.#read = read
  }

  next(): Token {
    const held = this.#held
    this.#held = undefined
    if (held) return held
    const token = this.#taken.shift() ?? this.#read()
    const isMet = this.#isOpen && this.#depth === 0 && this.#begins(token)
    if (isMet) this.#cases = 0
    this.#walkOver(token)
    if (!isMet) return token
    this.#held = token
    return { kind: 'sign', value: ';', upper: '', at: token.at, first: false }
  }

  #walkOver(token: Token): void {
    const isOver = isEnd(token)
    if (isOver) [this.#depth, this.#cases] = [0, 0]
    else if (isSign(token, '(')) this.#depth += 1
    else if (isSign(token, ')')) this.#depth = Math.max(0, this.#depth - 1)
    if (token.upper === 'CASE') this.#cases += 1
    if (token.upper === 'END') this.#cases = Math.max(0, this.#cases - 1)
    this.#isOpen = !isOver
    this.#last = token.upper
  }

  #begins({ first, kind, upper }: Token): boolean {
    if (!first || kind !== 'word' || !beginnings.has(upper)) return false
    if (behind[upper]?.has(this.#last) || (this.#cases > 0 && ofCases.has(upper))) return false
    const goesOn = before[upper]
    if (!goesOn) return true
    const next = this.#read()
    this.#taken.push(next)
    return !goesOn.has(next.kind === 'word' ? next.upper : next.value)
  }
}
