import type { ScriptDatabase } from '../databases.ts'
import type { Thing } from '@cadmus/model/import-things'
import { type Counts, noCounts } from './counts.ts'
import type { Cursor } from './cursor.ts'
import { type LineIndex, shown, type Token } from './token.ts'
import type { RawTable, ReadSchema, Span } from './read-schema.ts'
import type { SqlRemark } from './sql-model.ts'
import type { WaitingStatement } from './waiting.ts'

/** Limits the time and memory that a hostile script can take, in columns. */
const maxScriptParts = 1_000_000

/** How many columns take the memory of a statement that waits. */
const waitingWeight = 4

/** How many new columns take the time of a change of one heir. */
const heirWeight = 5

/** The longest part of a script that a remark shows. */
const maxShownText = 300

/** State shared by the statements of one script. */
export class Context {
  readonly cursor: Cursor
  readonly dialect: ScriptDatabase
  /** Whether the script was generated from a model, whose number types then follow from the notation. */
  readonly isOwn: boolean
  readonly schema: ReadSchema
  /** Whether the statements no longer wait for objects which the script never creates. */
  readonly isLast: boolean
  readonly #options: ContextOptions
  readonly #shared: Shared

  constructor(
    options: ContextOptions,
    { shared = newShared(), isLast = false }: { shared?: Shared; isLast?: boolean } = {},
  ) {
    this.#options = options
    this.#shared = shared
    this.cursor = options.cursor
    this.dialect = options.dialect
    this.isOwn = options.isOwn
    this.schema = options.schema
    this.isLast = isLast
  }

  /** The same script, read elsewhere. */
  at(cursor: Cursor, isLast: boolean): Context {
    return new Context({ ...this.#options, cursor }, { shared: this.#shared, isLast })
  }

  /** Values of the script's variables by name. */
  get variables(): Map<string, string> {
    return this.#shared.variables
  }

  lineOf({ at }: Pick<Token, 'at'>): number {
    return this.#options.lines.position(at).line
  }

  /** Reports a part of the script that has no place in the model. */
  lost(line: number, message: string, about: About = {}): void {
    this.#remark({ line, kind: 'lost', message, ...about })
  }

  /** Reports a part of the script that is in the model in another form. */
  changed(line: number, message: string, about: About = {}): void {
    this.#remark({ line, kind: 'changed', message, ...about })
  }

  /** Reports what nothing is lost by. */
  note(line: number, message: string, about: About = {}): void {
    this.#remark({ line, kind: 'note', message, ...about })
  }

  /** The table that further remarks are about. */
  attend(table: RawTable | null): void {
    this.#shared.subject = table
  }

  /** For remarks that a script can cause thousands of times. */
  remarkOnce(remark: SqlRemark): void {
    if (!this.#shared.remarked.has(remark.message)) this.#remark(remark)
    this.#shared.remarked.add(remark.message)
  }

  #remark(remark: SqlRemark): void {
    this.#options.remark(remark, this.#shared.subject)
  }

  quoted(text: string): string {
    return `'${shown(text)}'`
  }

  /** The text of the script from a token to the cursor, for a remark. */
  textFrom(start: Token): string {
    return this.shownText([start.at, this.cursor.peek().at])
  }

  shownText([from, to]: Span): string {
    const text = this.cursor.textBetween(from, Math.min(to, from + 2 * maxShownText)).trim()
    return shown(text, maxShownText)
  }

  /** Reads the statement that begins at the token as soon as the object exists; `message` reports that it never does. */
  waitFor(
    kind: 'table' | 'type',
    parts: readonly string[],
    {
      start,
      message,
      of,
      does = 'other',
    }: Pick<WaitingStatement, 'message' | 'of'> & { start: Token; does?: WaitingStatement['does'] },
  ): void {
    const line = this.lineOf(start)
    this.cursor.skipStatement()
    this.countParts(waitingWeight)
    const statement = { kind, parts, from: start.at, to: this.cursor.peek().at, line, message, of, does }
    if (this.isLast) this.giveUp(statement)
    else this.schema.waiting.add(kind, parts, statement)
  }

  /** Reports a statement whose object is never created. Tools also use ALTER TABLE for views and sequences. */
  giveUp({ line, message, of, parts, does }: WaitingStatement): void {
    if (does !== 'alter' || !this.schema.otherObjects.hasName(parts)) this.lost(line, message, { of })
  }

  /** Counts tables, columns, constraints and choices that are defined, copied or searched, by their weight in columns. */
  countParts(count = 1): void {
    this.#shared.parts += count
    if (this.#shared.parts > maxScriptParts)
      this.cursor.failAt('the script has too many tables, columns, constraints or choices', this.cursor.peek())
  }

  /** Counts a thing of the script that is in the model. */
  take(thing: Thing): void {
    this.#shared.taken[thing] += 1
  }

  get taken(): Counts {
    return this.#shared.taken
  }

  /** The tables that inherit from this one, and with it each change of a column. */
  heirsOf({ heirs }: RawTable): ReadonlySet<RawTable> {
    this.countParts(heirs.size * heirWeight)
    return heirs
  }
}

/** `name`: see SqlRemark; `of`: what is thereby not in the model as declared. */
export type About = Pick<SqlRemark, 'name' | 'of'>

export type ContextOptions = {
  cursor: Cursor
  dialect: ScriptDatabase
  isOwn: boolean
  schema: ReadSchema
  lines: LineIndex
  remark: (remark: SqlRemark, subject: RawTable | null) => void
}

type Shared = {
  remarked: Set<string>
  variables: Map<string, string>
  parts: number
  taken: Counts
  subject: RawTable | null
}

function newShared(): Shared {
  return { remarked: new Set(), variables: new Map(), parts: 0, taken: noCounts(), subject: null }
}
