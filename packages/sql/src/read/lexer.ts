import type { ScriptDialect } from '../database-kind.ts'
import { databases, type ScriptDatabase } from '../databases.ts'
import { bitsOf } from './constant.ts'
import { StatementSplitter } from './statement-splitter.ts'
import { type LineIndex, SqlError, type Token } from './token.ts'

/** Placeholders that tools replace: `${schema}`, `$(schema)`, `{{ index .Options "schema" }}`. */
const placeholder = String.raw`(?:\$\{[\w.-]{1,100}\}|\$\([\w.-]{1,100}\)|\{\{[^{}\n]{1,100}\}\})`
const placeholderPattern = new RegExp(placeholder, 'g')
const wordPattern = new RegExp(String.raw`(?:[\p{L}_@#]|${placeholder})(?:${placeholder}|[\p{L}\p{N}\p{M}_$#@])*`, 'uy')
/** A quoted name with placeholders: others are names as they are. */
const placedName = new RegExp(String.raw`^[\p{L}\p{N}_]{0,100}${placeholder}[\p{L}\p{N}_]{0,100}$`, 'u')
const quotedPlaceholder = /(["`])\{\{[^{}\n]{1,100}\}\}\1/y
const numberPattern = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y
const hexPattern = /0[xX]([\da-fA-F]*)/y
const dollarPattern = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy
const spacePattern = /[\s\ufeff]+/y
const delimiterPattern = /delimiter[ \t]+(?=\S)/iy
const executedPattern = /\/\*M?!(\d*)/y
const escapePattern = /\s*UESCAPE\s*'([^'\s])'/iy
/** Characters of a comment that are read; names of a model take up to 4,900. */
const maxComment = 5000
/** No server has a later version: a comment for one is a plain comment. */
const latestVersion = 200_000
const signs = ['::', '||', '//', '<=', '>=', '<>', '!=', '!~', '~*'] as const

/** Between the texts of files, alone in its line: ends statements, batches and delimiters. */
export const fileEnd = '\u001E'

/** Comments up to the end of the line, with the only database that has them. */
const commentMarks = { '--': null, '#': 'mysql', '//': 'hsql' } as const
const lineComments = ['--', '#', '//'] as const

export type LexerOptions = {
  lines: LineIndex
  onComment?: (text: string) => void
  /** A line for a command-line tool, with its offset. */
  onCommand?: (line: string, at: number) => void
  /** A placeholder in a name, with its offset. Without this, quoted names have none. */
  onPlaceholder?: ((text: string, at: number) => void) | undefined
}

/** Turns a script into tokens on demand, to bound memory. Visits every character a bounded number of times. */
export class Lexer {
  readonly #text: string
  readonly #dialect: ScriptDatabase
  readonly #options: LexerOptions
  #at: number
  readonly #end: number
  /** Whether only white space precedes in the line. */
  #first = true
  /** Whether the end of a line ends a statement. */
  readonly #isByLines: boolean
  #hasBroken = true
  /** Inside a comment that MySQL executes as SQL. */
  #isExecuted = false
  /** Ends a statement in place of a semicolon, after DELIMITER of MySQL's client. */
  #delimiter: string | null = null
  /** For a dialect that does not require semicolons. */
  readonly #splitter: StatementSplitter | undefined

  /** `part`: the offsets of the statements to read, which are already separate. */
  constructor(
    text: string,
    dialect: ScriptDatabase,
    options: LexerOptions,
    part?: readonly [from: number, to: number],
  ) {
    this.#text = text
    this.#dialect = dialect
    this.#options = options
    this.#isByLines = isByLines(text, dialect)
    this.#splitter = dialect === 'mssql' && !part ? new StatementSplitter(() => this.#read()) : undefined
    ;[this.#at, this.#end] = part ?? [0, text.length]
    this.#isExecuted = part !== undefined && dialect === 'mysql'
  }

  next(): Token {
    return this.#splitter?.next() ?? this.#read()
  }

  /** A lexer for a part of the same script. */
  part(from: number, to: number): Lexer {
    const { lines, onPlaceholder } = this.#options
    return new Lexer(this.#text, this.#dialect, { lines, onPlaceholder }, [from, to])
  }

  /** Whether statements end with a delimiter other than the semicolon. */
  get isDelimited(): boolean {
    return this.#delimiter !== null
  }

  textBetween(from: number, to: number): string {
    return this.#text.slice(from, to)
  }

  #read(): Token {
    this.#skipSpace()
    const [text, at] = [this.#text, this.#at]
    if (at >= this.#end) return this.#token('end', '')
    const character = text[at] ?? ''
    if (this.#isByLines && this.#first && !this.#hasBroken) return this.#lineBreak()
    this.#hasBroken = false
    if (character === fileEnd) return this.#endOfFile(at)
    const stop = this.#first ? (this.#wholeLine(at) ?? this.#delimited(at)) : this.#delimited(at)
    if (stop) return stop
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

  /** Skips the rest of the line that contains `at`; returns its end. */
  skipLine(at: number): number {
    const end = this.#endOfLine(at)
    this.#at = Math.max(this.#at, end)
    return end
  }

  /** Skips the rows of COPY, up to the line that ends them. */
  skipRows(): void {
    const end = this.#text.indexOf('\n\\.', this.#at)
    this.#at = end < 0 ? this.#text.length : this.#endOfLine(end + 1)
  }

  /** Skips the rest of a statement that ends with a delimiter, whatever it contains. */
  skipToDelimiter(): void {
    if (this.#delimiter === null) return
    const [end, last] = [this.#delimiter, fileEnd].map(mark => this.#text.indexOf(mark, this.#at))
    this.#at = Math.min(...[end, last, this.#end].filter(at => at !== undefined && at >= 0).map(Number))
  }

  fail(message: string, at: number): never {
    throw new SqlError(message, this.#options.lines.position(at))
  }

  #token(kind: Token['kind'], value: string, at = this.#at): Token {
    const first = this.#first
    this.#first = false
    return { kind, value, upper: kind === 'word' ? value.toUpperCase() : '', at, end: this.#at, first }
  }

  #lineBreak(): Token {
    this.#hasBroken = true
    const token = this.#token('break', '')
    this.#first = true
    return token
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#text)?.[0].slice(0, this.#end - this.#at)
  }

  #skipSpace(): void {
    for (;;) {
      const space = this.#match(spacePattern)
      if (space !== undefined) {
        this.#first ||= space.includes('\n')
        this.#at += space.length
      }
      if (!this.#skipComment() && !this.#skipCommand()) return
    }
  }

  /** Skips a line of PostgreSQL's command-line tool, or the change of the delimiter in MySQL's. */
  #skipCommand(): boolean {
    if (!this.#first) return false
    const at = this.#at
    const isCommand = this.#text[at] === '\\'
    const delimiter = isCommand || this.#dialect !== 'mysql' ? undefined : this.#match(delimiterPattern)
    if (!isCommand && delimiter === undefined) return false
    this.#at = this.#endOfLine(at)
    const line = this.#text.slice(at, Math.min(this.#at, at + 5000)).trim()
    if (delimiter === undefined) this.#options.onCommand?.(line, at)
    else {
      const [, mark = ';'] = line.split(/\s+/)
      this.#delimiter = mark === ';' ? null : mark
    }
    return true
  }

  #endOfFile(at: number): Token {
    this.#at += 1
    this.#delimiter = null
    return this.#token('break', fileEnd, at)
  }

  #delimited(at: number): Token | undefined {
    const mark = this.#delimiter
    if (mark === null || !this.#text.startsWith(mark, at)) return undefined
    this.#at += mark.length
    return this.#token('break', mark, at)
  }

  #skipComment(): boolean {
    const [text, at] = [this.#text, this.#at]
    const mark = lineComments.find(one => text.startsWith(one, at))
    if (mark !== undefined && (mark === '--' || commentMarks[mark] === this.#dialect)) {
      this.#at = this.#endOfLine(at)
      this.#options.onComment?.(text.slice(at + mark.length, Math.min(this.#at, at + maxComment)).trim())
      return true
    }
    if (this.#isExecuted && text.startsWith('*/', at)) {
      this.#isExecuted = false
      this.#at += 2
      return true
    }
    if (!text.startsWith('/*', at)) return false
    if (this.#dialect === 'mysql' && this.#skipExecuted()) return true
    this.#at = this.#endOfComment(at)
    return true
  }

  /** Enters `/*!40101 …`, which a server of that version or later executes. */
  #skipExecuted(): boolean {
    executedPattern.lastIndex = this.#at
    const [mark, version] = executedPattern.exec(this.#text) ?? []
    if (mark === undefined || Number(version) > latestVersion) return false
    this.#isExecuted = true
    this.#at += mark.length
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

  /** A line with a meaning for a command-line tool. */
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
    return undefined
  }

  #quoted(character: string): Token | undefined {
    const isMysql = this.#dialect === 'mysql'
    if (character === "'" || (character === '"' && isMysql))
      return this.#textFrom(this.#at, this.#at, isMysql ? mysqlEscapes : null)
    if (character === '"' || character === '`') return this.#quotedPlaceholder() ?? this.#name(character)
    if (character === '[' && this.#dialect === 'mssql') return this.#name(']')
    if (character !== '$' || this.#dialect !== 'postgresql') return undefined
    const tag = this.#match(dollarPattern)
    return tag === undefined ? undefined : this.#textUpTo(tag, this.#at, this.#at + tag.length)
  }

  /** A text whose quote is at `open`; `at` is the start of its prefix. */
  #textFrom(at: number, open: number, escapes: Unescape | null): Token {
    const { value, end } = readQuoted(this.#text, open, this.#text[open] ?? '', escapes) ?? this.#failUnclosed(at)
    this.#at = end
    return this.#token('text', this.#isByLines ? unescapeUnits(value) : value, at)
  }

  #textUpTo(mark: string, at: number, start: number): Token {
    const end = this.#text.indexOf(mark, start)
    if (end < 0) this.#failUnclosed(at)
    this.#at = end + mark.length
    return this.#token('text', this.#text.slice(start, end), at)
  }

  #name(close: string): Token {
    const at = this.#at
    const { value, end } =
      readQuoted(this.#text, at, close, null) ?? this.fail('The name that begins here does not end.', at)
    this.#at = end
    if (this.#options.onPlaceholder && placedName.test(value)) return this.#placed(value, at)
    return this.#token('name', this.#isByLines ? unescapeUnits(value) : value, at)
  }

  #failUnclosed(at: number): never {
    return this.fail('The text that begins here does not end.', at)
  }

  /** A word, or the text of which it is the prefix. */
  #word(word: string): Token {
    const at = this.#at
    const end = at + word.length
    this.#at = end
    if (/[{(]/.test(word)) return this.#placed(word, at)
    const upper = word.toUpperCase()
    const next = this.#text[end]
    if (upper === 'U' && next === '&') {
      const token = this.#unicodeEscaped(at, end + 1)
      if (token) return token
    }
    if (next !== "'") return this.#token('word', word, at)
    if (upper === 'U' && this.#dialect === 'oracle') return this.#unescape(this.#textFrom(at, end, null), '\\')
    if (upper === 'E') return this.#textFrom(at, end, postgresqlEscapes)
    if (upper === 'X' || upper === 'B') return this.#bytes(upper, at, end)
    if ((upper === 'Q' || upper === 'NQ') && this.#dialect === 'oracle') {
      const open = this.#text[end + 1] ?? ''
      return this.#textUpTo(`${closing[open] ?? open}'`, at, end + 2)
    }
    if (upper === 'N' || word.startsWith('_'))
      return this.#textFrom(at, end, this.#dialect === 'mysql' ? mysqlEscapes : null)
    return this.#token('word', word, at)
  }

  /** `"{{ index .Options "schema" }}"`, whose placeholder has quotes of its own. */
  #quotedPlaceholder(): Token | undefined {
    const at = this.#at
    const text = this.#match(quotedPlaceholder)
    if (text === undefined) return undefined
    this.#at += text.length
    return this.#placed(text.slice(1, -1), at)
  }

  /** A name with placeholders, which is no keyword. */
  #placed(word: string, at: number): Token {
    for (const [text] of word.matchAll(placeholderPattern)) this.#options.onPlaceholder?.(text, at)
    return this.#token('name', withoutPlaceholders(word), at)
  }

  /** `U&'d\0061t'` and `U&"d!0061t" UESCAPE '!'`. */
  #unicodeEscaped(at: number, open: number): Token | undefined {
    const isText = this.#text[open] === "'"
    if (!isText && this.#text[open] !== '"') return undefined
    this.#at = open
    const token = isText ? this.#textFrom(at, open, null) : this.#name('"')
    escapePattern.lastIndex = this.#at
    const escape = escapePattern.exec(this.#text)
    this.#at += escape?.[0].length ?? 0
    return this.#unescape({ ...token, at }, escape?.[1] ?? '\\')
  }

  #unescape(token: Token, mark: string): Token {
    return { ...token, value: unescapeUnicode(token.value, mark) }
  }

  /** `X'00ff'` and `B'101'`. An odd number of hexadecimal digits is read as bits. */
  #bytes(kind: 'X' | 'B', at: number, open: number): Token {
    const { value } = this.#textFrom(at, open, null)
    if (kind === 'B') return this.#token(/^[01]+$/.test(value) ? 'bits' : 'text', value, at)
    if (!/^[\da-f]*$/i.test(value)) return this.#token('text', value, at)
    return value.length % 2 === 0 ? this.#token('bytes', value, at) : this.#token('bits', bitsOf(value), at)
  }

  #number(): Token | undefined {
    const at = this.#at
    hexPattern.lastIndex = at
    const [hex, digits] = hexPattern.exec(this.#text) ?? []
    const number = hex ?? this.#match(numberPattern)
    if (number === undefined) return undefined
    this.#at += number.length
    if (digits === undefined) return this.#token('number', number, at)
    return this.#token('bytes', digits.length % 2 === 0 ? digits : `0${digits}`, at)
  }
}

/** The text with the names of its placeholders. */
export function withoutPlaceholders(text: string): string {
  return text.replace(placeholderPattern, lastName)
}

/** The name in a placeholder, which follows what its template language needs. */
function lastName(text: string): string {
  return text.match(/[\w-]+/g)?.at(-1) ?? ''
}

const closing: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}', '<': '>' }

/**
 * The text quoted from `open` on, and the offset after it; null if it is not closed. A doubled closing quote is a
 * character of the text.
 */
function readQuoted(
  text: string,
  open: number,
  close: string,
  unescape: Unescape | null,
): { value: string; end: number } | null {
  const pieces: string[] = []
  const stops = unescape ? new RegExp(`[\\\\${close}]`, 'g') : null
  for (let from = open + 1; ;) {
    const at = next(text, from, close, stops)
    if (at < 0) return null
    pieces.push(text.slice(from, at))
    if (text[at] === '\\' && unescape) {
      const { value, end } = unescape(text, at + 1)
      pieces.push(value)
      from = end
    } else if (text[at + 1] === close) {
      pieces.push(close)
      from = at + 2
    } else {
      return { value: pieces.join(''), end: at + 1 }
    }
  }
}

/** Decodes `\u00e4`, as HSQLDB writes it to its ASCII schema files. */
function unescapeUnits(text: string): string {
  return text.replace(/\\u([\da-f]{4})/gi, (_, digits: string) => character(digits))
}

/** Decodes `\0061` and `\+000061`; a doubled escape character represents itself. */
function unescapeUnicode(text: string, mark: string): string {
  const [first = '', ...others] = text.split(mark)
  const pieces = [first]
  for (let index = 0; index < others.length; index += 1) {
    const piece = others[index] ?? ''
    const digits = /^[\da-f]{4}|^\+(?:0[\da-f]|10)[\da-f]{4}/i.exec(piece)?.[0]
    if (digits !== undefined) pieces.push(character(digits), piece.slice(digits.length))
    else if (piece === '' && index + 1 < others.length) pieces.push(mark, others[(index += 1)] ?? '')
    else pieces.push(mark, piece)
  }
  return pieces.join('')
}

/** Four digits may be one half of a surrogate pair. */
function character(digits: string): string {
  const code = Number.parseInt(digits, 16)
  return digits.length === 4 ? String.fromCharCode(code) : String.fromCodePoint(code)
}

function next(text: string, from: number, close: string, stops: RegExp | null): number {
  if (stops === null) return text.indexOf(close, from)
  stops.lastIndex = from
  return stops.exec(text)?.index ?? -1
}

/** What a backslash before `at` escapes, and the offset after it. */
type Unescape = (text: string, at: number) => { value: string; end: number }

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b' }
const mysqlControls: Readonly<Record<string, string>> = { ...controls, 0: '\0', Z: '\u001a' }
const postgresqlControls: Readonly<Record<string, string>> = { ...controls, f: '\f' }

/** Wildcards keep their backslash, because LIKE needs it. */
function mysqlEscapes(text: string, at: number): ReturnType<Unescape> {
  const character = text[at] ?? ''
  const isWildcard = character === '%' || character === '_'
  return { value: isWildcard ? `\\${character}` : (mysqlControls[character] ?? character), end: at + 1 }
}

function postgresqlEscapes(text: string, at: number): ReturnType<Unescape> {
  const point = /^(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{4})|U(00[\da-fA-F]{6}))/.exec(text.slice(at, at + 9))
  const code = Number.parseInt(point?.[1] ?? point?.[2] ?? point?.[3] ?? '', 16)
  if (point && code <= 0x10ffff) return { value: String.fromCodePoint(code), end: at + point[0].length }
  const character = text[at] ?? ''
  return { value: postgresqlControls[character] ?? character, end: at + 1 }
}

/** Whether every line is a statement, as in the schema files of HSQLDB, which begin with the database name. */
function isByLines(script: string, dialect: ScriptDatabase): boolean {
  const { byLines }: ScriptDialect = databases[dialect].read
  return byLines?.test(script.slice(0, 1000)) ?? false
}
