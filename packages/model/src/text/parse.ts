import { textTexts } from '../messages/text.ts'
import { finish, type Steps } from '../steps.ts'
import { checksIn } from './check-line.ts'
import { endpointOf } from './endpoint.ts'
import { isGroup } from './group-line.ts'
import type { TextProblem } from './marked-text.ts'
import type {
  Endpoint,
  Index,
  Name,
  ParsedCheck,
  ParsedColumn,
  ParsedEnum,
  ParsedReference,
  ParsedTable,
  ParsedText,
  ParsedValue,
  Range,
  Setting,
  TypeText,
} from './parsed-text.ts'
import { lexing, type Token, type tokensOf } from './tokens.ts'

/** Reported at most; a text that is something else has a fault in every line. */
export const maxProblems = 200

/** Structure of a text. A fault is reported with its place, and reading goes on at the next line. */
export function parseText(text: string): ParsedText {
  return finish(parsing(text))
}

export function* parsing(text: string): Steps<ParsedText> {
  return yield* new Parser(yield* lexing(text)).read()
}

/** Aborts a line; its problem is reported. */
class Fault extends Error {
  readonly problem: TextProblem
  constructor(problem: TextProblem) {
    super(problem.message)
    this.problem = problem
  }
}

const ignoredBlocks = new Set(['tablegroup', 'note', 'records', 'tablepartial', 'diagramview', 'metadata'])

class Parser {
  readonly #tokens: readonly Token[]
  readonly #problems: TextProblem[]
  /** Open quotes and comments, in order, and the next one of them. */
  readonly #open: readonly TextProblem[]
  #nextOpen = 0
  #at = 0
  #project: ParsedText['project'] = null
  readonly #tables: ParsedTable[] = []
  readonly #enums: ParsedEnum[] = []
  readonly #references: ParsedReference[] = []
  readonly #asides: Range[] = []
  readonly #ignored: Range[] = []

  constructor({ tokens, problems }: ReturnType<typeof tokensOf>) {
    this.#tokens = tokens
    this.#open = problems
    this.#problems = [...problems]
  }

  *read(): Steps<ParsedText> {
    while (this.#peek().kind !== 'end' && this.#problems.length < maxProblems) {
      if (this.#peek().kind === 'line') this.#at += 1
      else this.#line(() => this.#block())
      if (this.#isClosed()) yield
    }
    const problems = this.#problems.toSorted((a, b) => a.from - b.from).slice(0, maxProblems)
    const { tables, enums, references } = { tables: this.#tables, enums: this.#enums, references: this.#references }
    const [asides, ignored] = [this.#asides, this.#ignored]
    return { project: this.#project, tables, enums, references, asides, ignored, problems }
  }

  #peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)] ?? endToken
  }

  #take(): Token {
    const token = this.#peek()
    if (token.kind !== 'end') this.#at += 1
    return token
  }

  #isSign(text: string, ahead = 0): boolean {
    const token = this.#peek(ahead)
    return token.kind === 'sign' && token.text === text
  }

  #takeSign(text: string): boolean {
    if (!this.#isSign(text)) return false
    this.#at += 1
    return true
  }

  #fault(message: string, { from, to }: Range = this.#peek()): never {
    throw new Fault({ from, to: Math.max(to, from), message })
  }

  /** Reads a line; after a fault, goes on behind the line and the block that begins in it. */
  #line(read: () => void): void {
    const start = this.#at
    try {
      read()
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      this.#skipLine()
      // After an open quote the rest of the line is no fault of its own.
      if (!this.#hasOpen(this.#tokens[start]?.from ?? 0)) this.#problems.push(error.problem)
      if (this.#at === start) this.#at += 1
    }
  }

  /** Whether there is an open quote since a place. */
  #hasOpen(from: number): boolean {
    while ((this.#open[this.#nextOpen]?.from ?? Number.POSITIVE_INFINITY) < from) this.#nextOpen += 1
    return (this.#open[this.#nextOpen]?.from ?? Number.POSITIVE_INFINITY) < this.#peek().from
  }

  #skipLine(): void {
    for (;;) {
      const token = this.#peek()
      if (token.kind === 'line' || token.kind === 'end' || this.#isSign('}')) return
      if (this.#isSign('{')) this.#skipBlock()
      else this.#at += 1
    }
  }

  /** To the end of a block with the blocks in it. */
  #skipBlock(): void {
    let depth = 0
    do {
      if (this.#isSign('{')) depth += 1
      if (this.#isSign('}')) depth -= 1
      if (this.#take().kind === 'end') return
    } while (depth > 0)
  }

  #linesAhead(): number {
    let ahead = 0
    while (this.#peek(ahead).kind === 'line') ahead += 1
    return ahead
  }

  #skipLines(): void {
    this.#at += this.#linesAhead()
  }

  #endLine(): void {
    const { kind, text } = this.#peek()
    if (kind !== 'line' && kind !== 'end' && !this.#isSign('}')) this.#fault(textTexts.unexpected(text))
  }

  #block(): void {
    const head = this.#take()
    const keyword = head.kind === 'word' ? head.text.toLowerCase() : ''
    if (keyword === 'table') this.#tables.push(this.#table(head))
    else if (keyword === 'enum') this.#enums.push(this.#enum(head))
    else if (keyword === 'ref') this.#aside(head, () => this.#referenceBlock())
    else if (keyword === 'project') this.#readProject(head)
    else if (ignoredBlocks.has(keyword)) this.#ignoredBlock()
    else this.#fault(textTexts.unknownBlock(head.text), head)
  }

  #aside({ from }: Token, read: () => void): void {
    read()
    this.#asides.push({ from, to: this.#last() })
  }

  /** The end of the token before. */
  #last(): number {
    return this.#tokens[this.#at - 1]?.to ?? 0
  }

  #ignoredBlock(): void {
    const name = this.#peek(-1)
    for (;;) {
      const token = this.#peek()
      if (token.kind === 'line' || token.kind === 'end') return
      if (this.#isSign('{')) {
        this.#skipBlock()
        this.#ignored.push({ from: name.from, to: this.#last() })
        if (!this.#isClosed()) this.#fault(textTexts.openBlock(name.text), name)
        return
      }
      this.#at += 1
    }
  }

  #isClosed(): boolean {
    const last = this.#tokens[this.#at - 1]
    return last?.kind === 'sign' && last.text === '}'
  }

  #table(head: Token): ParsedTable {
    const name = this.#qualifiedName()
    const alias = this.#alias()
    const settings = this.#settings()
    const columns: ParsedColumn[] = []
    const indexes: Index[] = []
    const groupBlocks: Range[] = []
    const checks: ParsedCheck[] = []
    const checkBlocks: Range[] = []
    const setting = settings.find(({ key }) => key === 'note')
    let note = setting?.value[0]?.text ?? null
    let notePlace: Range | null = setting ?? null
    const open = this.#peek(this.#linesAhead()).to
    const to = this.#body(name, () => {
      const { text, kind, from } = this.#peek()
      const keyword = kind === 'word' ? text.toLowerCase() : ''
      if (keyword === 'note' && this.#opens(1)) {
        note = this.#note()
        notePlace = { from, to: this.#last() }
      } else if (keyword === 'indexes' && this.#isSign('{', 1)) {
        const lines = this.#indexes()
        indexes.push(...lines)
        const isOfGroups = lines.length > 0 && lines.every(isGroup)
        ;(isOfGroups ? groupBlocks : this.#asides).push({ from, to: this.#last() })
      } else if (this.#isSign('~')) this.#fault(textTexts.partial)
      else if (keyword === 'checks' && this.#isSign('{', 1)) {
        checks.push(...this.#checks())
        checkBlocks.push({ from, to: this.#last() })
      } else if (keyword === 'records' && this.#isSign('{', 1)) this.#ignoredBlock()
      else columns.push(this.#column())
      this.#endLine()
    })
    const blocks = { indexes, groupBlocks, checks: [...checksIn(columns), ...checks], checkBlocks }
    return { name, alias, settings, note, notePlace, open, columns, ...blocks, from: head.from, to }
  }

  #alias(): string | null {
    const { kind, text } = this.#peek()
    if (kind !== 'word' || text.toLowerCase() !== 'as') return null
    this.#at += 1
    return this.#name().text
  }

  #opens(ahead: number): boolean {
    return this.#isSign(':', ahead) || this.#isSign('{', ahead)
  }

  /** The lines of a block up to its end. */
  #body(name: Name, readLine: () => void): number {
    if (!this.#isSign('{', this.#linesAhead())) this.#fault(textTexts.noBlock, name)
    this.#skipLines()
    this.#at += 1
    for (;;) {
      this.#skipLines()
      const token = this.#peek()
      if (this.#takeSign('}')) return token.to
      // A table that begins here shows that the block before has no end.
      if (this.#problems.length >= maxProblems) return token.from
      if (token.kind === 'end' || this.#isTableHead()) {
        this.#problems.push({ from: name.from, to: name.to, message: textTexts.openBlock(name.text) })
        return token.from
      }
      this.#line(readLine)
    }
  }

  /** No line of a column ends with a bracket that opens a block. */
  #isTableHead(): boolean {
    const { kind, text } = this.#peek()
    if (kind !== 'word' || !/^(?:table|enum|project|ref)$/i.test(text)) return false
    let ahead = 1
    while (!['line', 'end'].includes(this.#peek(ahead).kind)) ahead += 1
    return this.#isSign('{', ahead - 1)
  }

  #column(): ParsedColumn {
    const name = this.#name()
    const type = this.#type(name)
    const settings = this.#settings()
    return { name, type, settings, from: name.from, to: this.#last() }
  }

  #name(): Name {
    const { kind, from, to, text } = this.#peek()
    if (kind !== 'word' && kind !== 'name') this.#fault(textTexts.noName)
    this.#at += 1
    return { from, to, text }
  }

  /** A name, whose schema is left out. */
  #qualifiedName(): Name {
    let name = this.#name()
    while (this.#takeSign('.')) name = this.#name()
    return name
  }

  #type(column: Name): TypeText {
    const { kind, from } = this.#peek()
    if (kind !== 'word' && kind !== 'name') this.#fault(textTexts.noType(column.text), column)
    const name = this.#qualifiedName()
    const args = this.#isSign('(') ? this.#list() : []
    const isArray = this.#isSign('[') && this.#isSign(']', 1)
    if (isArray) this.#at += 2
    return { word: name.text, args, isArray, from, to: this.#last() }
  }

  /** The entries of `(40, 'a')`. */
  #list(): Token[] {
    const open = this.#take()
    const entries: Token[] = []
    while (!this.#takeSign(')')) {
      const token = this.#peek()
      if (token.kind === 'line' || token.kind === 'end' || (token.kind === 'sign' && token.text !== ','))
        this.#fault(textTexts.openList, open)
      this.#at += 1
      if (token.kind !== 'sign') entries.push(token)
    }
    return entries
  }

  #settings(): Setting[] {
    if (!this.#isSign('[')) return []
    const open = this.#take()
    const settings: Setting[] = []
    for (;;) {
      this.#lineInSettings(open)
      if (this.#takeSign(']')) return settings
      if (!this.#takeSign(',')) settings.push(this.#setting(open))
    }
  }

  /** Settings may be on several lines, if a comma or a bracket shows that they go on. */
  #lineInSettings(open: Token): void {
    if (this.#peek().kind === 'end') this.#fault(textTexts.openBracket, open)
    if (this.#peek().kind !== 'line') return
    const before = this.#tokens[this.#at - 1]?.text ?? ''
    const ahead = this.#linesAhead()
    const goesOn = before === ',' || before === '[' || this.#isSign(',', ahead) || this.#isSign(']', ahead)
    if (!goesOn) this.#fault(textTexts.openBracket, open)
    this.#at += ahead
    if (this.#peek().kind === 'end') this.#fault(textTexts.openBracket, open)
  }

  #setting(open: Token): Setting {
    const first = this.#peek()
    const words: string[] = []
    while (this.#peek().kind === 'word') words.push(this.#take().text.toLowerCase())
    if (words.length === 0) this.#fault(textTexts.unexpected(first.text))
    const value: Token[] = []
    if (this.#takeSign(':')) {
      for (let depth = 0; depth > 0 || !(this.#isSign(',') || this.#isSign(']'));) {
        if (['line', 'end'].includes(this.#peek().kind) || this.#isSign('}')) break
        if (this.#isSign('(')) depth += 1
        if (this.#isSign(')')) depth -= 1
        value.push(this.#take())
      }
    } else if (!(this.#isSign(',') || this.#isSign(']') || this.#peek().kind === 'line')) {
      if (this.#isSign('}') || this.#peek().kind === 'end') this.#fault(textTexts.openBracket, open)
      this.#fault(textTexts.unexpected(this.#peek().text))
    }
    return { key: words.join(' '), value, from: first.from, to: this.#last() }
  }

  /** `Note: 'text'` or `Note { 'text' }`. */
  #note(): string {
    this.#at += 1
    const isBlock = this.#isSign('{')
    this.#at += 1
    this.#skipLines()
    const { kind, text } = this.#peek()
    if (kind !== 'string') this.#fault(textTexts.noText)
    this.#at += 1
    if (isBlock) this.#skipLines()
    if (isBlock && !this.#takeSign('}')) this.#fault(textTexts.unexpected(this.#peek().text))
    return text
  }

  #indexes(): Index[] {
    const indexes: Index[] = []
    const { from, to, text } = this.#take()
    this.#body({ from, to, text }, () => {
      const start = this.#peek()
      const inList = this.#isSign('(')
      const columns = inList ? this.#list() : [this.#take()]
      const settings = this.#settings()
      indexes.push({ columns, settings, from: start.from, to: start.to })
      this.#endLine()
    })
    return indexes
  }

  #checks(): ParsedCheck[] {
    const checks: ParsedCheck[] = []
    const { from, to, text } = this.#take()
    this.#body({ from, to, text }, () => {
      const condition = this.#peek()
      if (condition.kind !== 'expression') this.#fault(textTexts.noCondition)
      this.#at += 1
      const settings = this.#settings()
      const other = settings.find(({ key }) => key !== 'name')
      if (other) this.#fault(textTexts.unknownSetting(other.key), other)
      this.#endLine()
      const name = settings.flatMap(({ value }) => value.map(token => token.text)).join('')
      checks.push({ text: condition.text, name, from: condition.from, to: condition.to })
    })
    return checks
  }

  #enum({ from }: Token): ParsedEnum {
    const name = this.#qualifiedName()
    const values: ParsedValue[] = []
    const to = this.#body(name, () => {
      const value = this.#name().text
      const note = this.#settings().find(({ key }) => key === 'note')
      this.#endLine()
      values.push({ value, label: note?.value[0]?.text ?? '' })
    })
    return { name, values, from, to }
  }

  #readProject({ from }: Token): void {
    const name = ['word', 'name'].includes(this.#peek().kind) ? this.#name() : { ...this.#peek(), text: '' }
    let note = ''
    const to = this.#body(name, () => {
      if (this.#peek().text.toLowerCase() === 'note' && this.#opens(1)) note = this.#note()
      else this.#skipLine()
      this.#endLine()
    })
    this.#project = { name: name.text, note, from, to }
  }

  /** `Ref: A.b > C.d`, `Ref name: …` or `Ref { … }`. */
  #referenceBlock(): void {
    if (['word', 'name'].includes(this.#peek().kind)) this.#qualifiedName()
    const read = () => {
      this.#references.push(this.#reference())
      this.#endLine()
    }
    if (this.#takeSign(':')) {
      read()
      return
    }
    const { from, to } = this.#peek()
    this.#body({ from, to, text: 'Ref' }, read)
  }

  #reference(): ParsedReference {
    const left = this.#endpoint()
    const sign = this.#relation()
    const right = this.#endpoint()
    const settings = this.#settings()
    return { left, sign, right, settings, from: left.from, to: right.to }
  }

  #relation(): string {
    const sign = this.#take()
    if (sign.kind !== 'sign' || !['<', '>', '-'].includes(sign.text)) this.#fault(textTexts.noReference, sign)
    return sign.text === '<' && this.#takeSign('>') ? '<>' : sign.text
  }

  #endpoint(): Endpoint {
    const end = endpointOf(this.#tokens, this.#at)
    if (end === null) this.#fault(textTexts.noReference)
    this.#at = end.next
    return end.endpoint
  }
}

const endToken: Token = { kind: 'end', from: 0, to: 0, text: '' }
