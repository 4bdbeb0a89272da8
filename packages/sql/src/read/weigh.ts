import { databaseTypeTable } from '@cadmus/model/database-types'
import type { ScriptDialect } from '../database-kind.ts'
import { databases, type ScriptDatabase, scriptDatabases } from '../databases.ts'
import { Lexer } from './lexer.ts'
import { isEnd, isSign, LineIndex, SqlError, type Token } from './token.ts'

/** How much a script looks like one for the database. */
export type Evidence = { database: ScriptDatabase; weight: number }

/** Number of characters examined. */
const head = 300_000
/** A mark counts at most this often, so that many weak ones do not outweigh a strong one. */
const maxCount = 4
/** For a text or comment that does not end when read in the notation of the database. */
const faultWeight = -100
/** For a text that is followed by a word without a space between: its end was probably not the end. */
const adjacentWeight = -8
const commandWeight = 6
/** Without evidence. */
const anyDatabase: ScriptDatabase = 'postgresql'

/** The databases by how much the script looks like one for them, best first. */
export function weighDatabases(script: string): Evidence[] {
  const own = ownDialectOf(script)
  const sample = script.slice(0, head)
  const isWhole = sample.length === script.length
  const evidence = scriptDatabases.map(database => {
    const weight = database === own ? Number.MAX_SAFE_INTEGER : new Scale(sample, database, isWhole).weight()
    return { database, weight }
  })
  const order = ({ database }: Evidence) => (database === anyDatabase ? 0 : 1)
  return evidence.toSorted((a, b) => b.weight - a.weight || order(a) - order(b))
}

/** The database named in the title of a generated script, which only comments precede. */
export function ownDialectOf(script: string): ScriptDatabase | undefined {
  for (const line of script.slice(0, 1000).split('\n')) {
    const label = /^-- Database schema of .{0,200} for (.{1,40})$/.exec(line)?.[1]
    const own = scriptDatabases.find(type => databaseTypeTable[type].label === label)
    if (own) return own
    if (!/^[\s\uFEFF;]*(?:--|$)/.test(line)) return undefined
  }
  return undefined
}

type Mark = { weight: number; atoms: readonly string[]; count: number }

/** The marks of a database by their last part. */
function marksOf(database: ScriptDatabase): Map<string, Mark[]> {
  const { marks }: ScriptDialect = databases[database].read
  const all = marks.flatMap(([weight, ...phrases]) =>
    phrases.map(phrase => ({ weight, atoms: phrase.split(' '), count: 0 })),
  )
  return Map.groupBy(all, ({ atoms }) => atoms.at(-1) ?? '')
}

/** Statements on rows, whose words say little about the database. */
const rowStatements = new Set('INSERT UPDATE DELETE MERGE REPLACE SELECT VALUES'.split(' '))
/** Words after which a column is defined, in a statement that changes a table. */
const columnWords = new Set('ADD COLUMN MODIFY CHANGE EXISTS'.split(' '))
/** Words that begin an element of a table other than a column. */
const constraintWords = new Set('CONSTRAINT PRIMARY UNIQUE FOREIGN CHECK'.split(' '))

/** Adds up the marks of one database in a script that is read in its notation. */
class Scale {
  readonly #lexer: Lexer
  readonly #text: string
  readonly #isWhole: boolean
  readonly #marks: Map<string, Mark[]>
  readonly #lineCommands: ReadonlySet<string> | undefined
  readonly #maxAtoms: number
  #recent: string[] = []
  #weight = 0
  /** The first two words of the statement. */
  #statement: string[] = []
  #isTable = false
  #isCopying = false
  #depth = 0
  /** Number of tokens since the beginning of a table's element; null outside. */
  #position: number | null = null

  constructor(text: string, database: ScriptDatabase, isWhole: boolean) {
    const onCommand = () => {
      if (database === anyDatabase) this.#weight += commandWeight
    }
    const { lineCommands }: ScriptDialect = databases[database].read
    this.#lexer = new Lexer(text, database, { lines: new LineIndex(text), onCommand })
    this.#text = text
    this.#isWhole = isWhole
    this.#lineCommands = lineCommands
    this.#marks = marksOf(database)
    const lengths = [...this.#marks.values()].flatMap(marks => marks.map(({ atoms }) => atoms.length))
    this.#maxAtoms = Math.max(1, ...lengths)
  }

  weight(): number {
    try {
      let last: Token | undefined
      for (let token = this.#lexer.next(); token.kind !== 'end'; token = this.#lexer.next()) {
        if (last?.kind === 'text' && last.end === token.at && wordlike.has(token.kind)) this.#weight += adjacentWeight
        last = token
        this.#visit(token)
      }
    } catch (error) {
      if (!(error instanceof SqlError)) throw error
      // A text at the end of the sample may end after it.
      if (this.#isWhole) this.#weight += faultWeight
    }
    return this.#weight
  }

  #visit(token: Token): void {
    const isStart = this.#statement.length === 0
    if (isStart && token.first && this.#lineCommands?.has(token.upper)) {
      this.#lexer.skipLine(token.at)
      return
    }
    this.#track(token)
    if (this.#position === 0) this.#push('<element>')
    if (this.#position === 1) this.#push('<type>')
    if (isStart) this.#push('<start>')
    this.#push(atomOf(token, this.#text))
    if (this.#position !== null) this.#position += 1
    this.#begin(token)
    if (isEnd(token)) this.#finish()
  }

  /** Follows the statement and the elements of its table. */
  #track(token: Token): void {
    if (this.#statement.length < 4 && token.kind === 'word') this.#statement.push(token.upper)
    else if (this.#statement.length === 0) this.#statement.push('')
    this.#isTable ||= token.upper === 'TABLE' && tableStatements.has(this.#statement[0] ?? '')
    this.#isCopying ||= this.#statement[0] === 'COPY' && token.upper === 'STDIN'
    if (isSign(token, ')')) this.#depth -= 1
    const isOver = isSign(token, ',') || isSign(token, ')') || isEnd(token)
    if (isOver && this.#depth <= 1) this.#position = null
  }

  /** Whether an element of a table begins after the token. */
  #begin(token: Token): void {
    if (isSign(token, '(')) this.#depth += 1
    if (!this.#isTable) return
    const isList = this.#depth === 1 && (isSign(token, '(') || isSign(token, ','))
    const isChange = this.#statement[0] === 'ALTER' && this.#depth <= 1 && columnWords.has(token.upper)
    if (isList || isChange) this.#position = 0
    else if (this.#position === 1 && constraintWords.has(token.upper)) this.#position = null
  }

  #finish(): void {
    if (this.#isCopying) this.#lexer.skipRows()
    this.#statement = []
    this.#recent = []
    ;[this.#isTable, this.#isCopying, this.#depth, this.#position] = [false, false, 0, null]
  }

  #push(atom: string): void {
    this.#recent.push(atom)
    if (this.#recent.length > this.#maxAtoms) this.#recent.shift()
    for (const mark of this.#marks.get(atom) ?? []) this.#count(mark)
    if (atom !== '*' && isWordAtom(atom)) for (const mark of this.#marks.get('*') ?? []) this.#count(mark)
  }

  #count(mark: Mark): void {
    const { atoms } = mark
    const isRow = rowStatements.has(this.#statement[0] ?? '') && !quotes.has(atoms.at(-1) ?? '')
    if (isRow || mark.count >= maxCount || atoms.length > this.#recent.length) return
    const from = this.#recent.length - atoms.length
    const matches = atoms.every((atom, index) => {
      const actual = this.#recent[from + index] ?? ''
      return atom === actual || (atom === '*' && isWordAtom(actual))
    })
    if (!matches) return
    mark.count += 1
    this.#weight += mark.weight
  }
}

const tableStatements = new Set(['CREATE', 'ALTER'])
const wordlike = new Set<Token['kind']>(['word', 'number', 'name', 'text'])
const quotes = new Set(['`', '[', '"'])

/** `*` in a mark stands for any word or name. */
function isWordAtom(atom: string): boolean {
  return /^[\p{L}_@#]/u.test(atom) || quotes.has(atom)
}

/** A word in capitals, a sign, the quote of a name or text, or 0 for any number. */
function atomOf({ kind, value, upper, at }: Token, text: string): string {
  switch (kind) {
    case 'word':
      return upper
    case 'name':
      return text[at] ?? ''
    case 'text':
      return textAtom(text.slice(at, at + 2).toUpperCase())
    case 'number':
      return '0'
    case 'break':
      return value.toUpperCase().slice(0, 2)
    default:
      return value
  }
}

function textAtom(start: string): string {
  return start.startsWith("'") || start.startsWith('"') || start.startsWith('$') ? `'${start[0]}` : `'${start}`
}
