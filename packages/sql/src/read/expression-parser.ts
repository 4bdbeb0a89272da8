import { isMomentName } from '@cadmus/model/values/computed'
import { comparisons, type Expression, moments, typeWords } from './expression.ts'
import { isSign, type Token } from './token.ts'

/** Exceeds the nesting of any tool and bounds the call stack. */
const maxDepth = 100

class UnsupportedExpression extends Error {}

/** The expression of the tokens; null if it is not supported or nested too deeply. */
export function parseExpression(tokens: readonly Token[]): Expression | null {
  try {
    return new ExpressionParser(tokens).whole()
  } catch (error) {
    if (error instanceof UnsupportedExpression) return null
    throw error
  }
}

const end: Token = { kind: 'end', value: '', upper: '', at: 0, end: 0, first: false }
class ExpressionParser {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  whole(): Expression {
    const expression = this.#any()
    if (this.#peek() !== end) throw new UnsupportedExpression()
    return expression
  }

  #peek(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? end
  }

  #skipSign(sign: string): boolean {
    const is = isSign(this.#peek(), sign)
    if (is) this.#at += 1
    return is
  }

  #skipWord(word: string): boolean {
    const is = this.#peek().upper === word
    if (is) this.#at += 1
    return is
  }

  #expect(sign: string): void {
    if (!this.#skipSign(sign)) throw new UnsupportedExpression()
  }

  #any(): Expression {
    this.#depth += 1
    if (this.#depth > maxDepth) throw new UnsupportedExpression()
    const parts = [this.#all()]
    while (this.#skipWord('OR')) parts.push(this.#all())
    this.#depth -= 1
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'any', parts }
  }

  #all(): Expression {
    const parts = [this.#not()]
    while (this.#skipWord('AND')) parts.push(this.#not())
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'all', parts }
  }

  #not(): Expression {
    let count = 0
    while (this.#skipWord('NOT')) count += 1
    const part = this.#comparison()
    return count % 2 === 0 ? part : { kind: 'not', part }
  }

  #comparison(): Expression {
    let left = this.#sum()
    for (;;) {
      const next = this.#comparedWith(left)
      if (next === left) return left
      left = next
    }
  }

  /** The comparison that follows, or `left`. */
  #comparedWith(left: Expression): Expression {
    const { kind, value } = this.#peek()
    if (kind === 'sign' && comparisons.has(value)) {
      this.#at += 1
      if (value === '=' && (this.#skipWord('ANY') || this.#skipWord('SOME'))) return this.#anyOf(left)
      return { kind: 'compare', operator: value === '!=' ? '<>' : value, left, right: this.#sum() }
    }
    if (kind === 'sign' && (value === '~' || value === '~*')) {
      this.#at += 1
      return { kind: 'matches', operator: 'REGEXP', left, pattern: this.#sum() }
    }
    if (this.#skipWord('IS')) return this.#is(left)
    const isNegated = this.#peek().upper === 'NOT' && this.#at + 1 < this.#tokens.length
    if (isNegated) this.#at += 1
    const comparison = this.#wordComparison(left)
    if (comparison) return isNegated ? { kind: 'not', part: comparison } : comparison
    if (isNegated) throw new UnsupportedExpression()
    return left
  }

  #wordComparison(left: Expression): Expression | undefined {
    if (this.#skipWord('IN')) {
      const list = this.#primary()
      return { kind: 'in', left, parts: list.kind === 'list' ? list.parts : [list] }
    }
    if (this.#skipWord('BETWEEN')) {
      const low = this.#sum()
      if (!this.#skipWord('AND')) throw new UnsupportedExpression()
      return { kind: 'between', left, low, high: this.#sum() }
    }
    const { upper } = this.#peek()
    if (upper !== 'LIKE' && upper !== 'ILIKE' && upper !== 'REGEXP' && upper !== 'RLIKE') return undefined
    this.#at += 1
    return { kind: 'matches', operator: upper === 'RLIKE' ? 'REGEXP' : upper, left, pattern: this.#sum() }
  }

  #anyOf(left: Expression): Expression {
    const list = this.#primary()
    return { kind: 'in', left, parts: list.kind === 'list' ? list.parts : [list] }
  }

  #is(left: Expression): Expression {
    const isNegated = this.#skipWord('NOT')
    if (this.#skipWord('NULL')) return { kind: isNegated ? 'isPresent' : 'isNull', part: left }
    if (!this.#skipWord('JSON') || isNegated) throw new UnsupportedExpression()
    return { kind: 'isJson', part: left }
  }

  #sum(): Expression {
    const parts = [this.#product()]
    let kind: 'join' | 'sum' = 'join'
    for (;;) {
      if (this.#skipSign('||')) parts.push(this.#product())
      else if (this.#skipSign('+')) parts.push(this.#product())
      else if (this.#skipSign('-')) {
        kind = 'sum'
        parts.push({ kind: 'negative', part: this.#product() })
      } else break
    }
    return parts.length === 1 && parts[0] ? parts[0] : { kind, parts }
  }

  #product(): Expression {
    let value = this.#signed()
    for (;;) {
      if (this.#skipSign('*')) {
        const parts = value.kind === 'product' ? value.parts : [value]
        value = { kind: 'product', parts: [...parts, this.#signed()] }
      } else if (this.#skipSign('/')) value = { kind: 'call', name: '/', parts: [value, this.#signed()] }
      else if (this.#skipSign('%')) value = { kind: 'call', name: '%', parts: [value, this.#signed()] }
      else return value
    }
  }

  #signed(): Expression {
    let negatives = 0
    for (;;) {
      if (this.#skipSign('-')) negatives += 1
      else if (!this.#skipSign('+')) break
    }
    const part = this.#postfix()
    return negatives % 2 === 0 ? part : { kind: 'negative', part }
  }

  #postfix(): Expression {
    let value = this.#primary()
    for (;;) {
      if (this.#skipSign('::')) value = asType(value, this.#type())
      else if (this.#skipWord('COLLATE')) this.#qualified()
      else if (this.#isTimeZone()) {
        this.#at += 3
        value = { kind: 'call', name: 'TIMEZONE', parts: [this.#primary(), value] }
      } else return value
    }
  }

  #isTimeZone(): boolean {
    return ['AT', 'TIME', 'ZONE'].every((word, ahead) => this.#peek(ahead).upper === word)
  }

  #primary(): Expression {
    const { kind, value } = this.#peek()
    if (kind === 'sign' && value === '(') return this.#parenthesised()
    this.#at += 1
    if (kind === 'text' || kind === 'number' || kind === 'bytes' || kind === 'bits') return { kind, value }
    if (kind === 'name') return this.#named(value)
    if (kind !== 'word') throw new UnsupportedExpression()
    return this.#word(value)
  }

  #parenthesised(): Expression {
    const parts = this.#arguments()
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'list', parts }
  }

  #word(word: string): Expression {
    const upper = word.toUpperCase()
    switch (upper) {
      case 'NULL':
        return { kind: 'null' }
      case 'TRUE':
      case 'FALSE':
        return { kind: 'boolean', value: upper === 'TRUE' }
      case 'DATE':
      case 'TIME':
      case 'TIMESTAMP':
      case 'TIMESTAMPTZ':
      case 'INTERVAL': {
        const start = this.#at
        while (typeWords.has(this.#peek().upper)) this.#at += 1
        if (this.#peek().kind === 'text') return this.#typed(upper)
        this.#at = start
        break
      }
      case 'CAST':
      case 'CONVERT':
        if (isSign(this.#peek(), '(')) return this.#cast(upper)
        break
      case 'EXTRACT':
      case 'TRIM':
        if (isSign(this.#peek(), '(')) return this.#ofPart(upper)
        break
      case 'NEXT':
        if (this.#peek().upper === 'VALUE' && this.#peek(1).upper === 'FOR') {
          this.#at += 2
          return nextValue(this.#qualified())
        }
        break
      case 'ARRAY':
        if (this.#skipSign('[')) return { kind: 'list', parts: this.#listUpTo(']') }
        break
    }
    if (moments.has(upper) && !isSign(this.#peek(), '(')) return { kind: 'call', name: upper, parts: [] }
    return this.#named(word)
  }

  /** `EXTRACT(YEAR FROM x)`, `TRIM(BOTH ' ' FROM x)`, or arguments as of other functions. */
  #ofPart(name: 'EXTRACT' | 'TRIM'): Expression {
    const start = this.#at
    this.#expect('(')
    const { upper } = this.#peek()
    if (name === 'EXTRACT' && this.#peek(1).upper === 'FROM') this.#at += 2
    else if (name === 'TRIM' && upper === 'BOTH') {
      this.#at += 1
      if (this.#peek().kind === 'text' && this.#peek().value === ' ') this.#at += 1
      if (!this.#skipWord('FROM')) throw new UnsupportedExpression()
    } else {
      this.#at = start
      return { kind: 'call', name, parts: this.#arguments() }
    }
    const part = this.#any()
    this.#expect(')')
    return { kind: 'call', name: name === 'TRIM' ? name : upper, parts: [part] }
  }

  /** `DATE '2026-01-31'`; a time of Oracle is an interval that begins with the number of days. */
  #typed(word: 'DATE' | 'TIME' | 'TIMESTAMP' | 'TIMESTAMPTZ' | 'INTERVAL'): Expression {
    const { value } = this.#peek()
    this.#at += 1
    if (word === 'DATE') return { kind: 'date', value }
    if (word === 'TIMESTAMP' || word === 'TIMESTAMPTZ') return { kind: 'timestamp', value }
    if (word === 'TIME') return { kind: 'time', value }
    for (const unit of ['DAY', 'TO', 'SECOND']) if (!this.#skipWord(unit)) throw new UnsupportedExpression()
    if (isSign(this.#peek(), '(')) this.#arguments()
    if (!/^\+?0 /.test(value)) throw new UnsupportedExpression()
    return { kind: 'time', value: value.replace(/^\+?0 /, '') }
  }

  /** `CAST(x AS type)`, `CONVERT(x USING charset)`, `CONVERT(type, x)`. Converted bytes become a text. */
  #cast(word: 'CAST' | 'CONVERT'): Expression {
    this.#expect('(')
    const part = this.#any()
    let type = ''
    if (this.#skipWord('AS')) type = this.#type()
    else if (this.#skipWord('USING')) this.#qualified()
    else if (word === 'CONVERT' && this.#skipSign(',')) {
      const value = this.#any()
      if (this.#skipSign(',')) this.#any()
      this.#expect(')')
      return asType(value, part.kind === 'column' || part.kind === 'call' ? part.name : '')
    } else throw new UnsupportedExpression()
    this.#expect(')')
    return part.kind === 'bytes' ? { kind: 'call', name: 'CONVERT', parts: [part] } : asType(part, type)
  }

  #named(first: string): Expression {
    let [owner, name] = ['', first]
    while (this.#skipSign('.')) [owner, name] = [name, this.#name()]
    if (!isSign(this.#peek(), '('))
      return owner !== '' && name.toUpperCase() === 'NEXTVAL' ? nextValue(owner) : { kind: 'column', name }
    return { kind: 'call', name: name.toUpperCase(), parts: this.#arguments() }
  }

  #arguments(): Expression[] {
    this.#expect('(')
    return this.#listUpTo(')')
  }

  #listUpTo(close: ')' | ']'): Expression[] {
    const parts: Expression[] = []
    if (this.#skipSign(close)) return parts
    do {
      parts.push(this.#any())
      if (this.#skipWord('USING')) this.#qualified()
    } while (this.#skipSign(','))
    this.#expect(close)
    return parts
  }

  #name(): string {
    const { kind, value } = this.#peek()
    if (kind !== 'name' && kind !== 'word') throw new UnsupportedExpression()
    this.#at += 1
    return value
  }

  #qualified(): string {
    let name = this.#name()
    while (this.#skipSign('.')) name = this.#name()
    return name
  }

  /** Skips a type such as `character varying(255)[]`: a cast does not change the value. Returns its first word. */
  #type(): string {
    const name = this.#qualified()
    while (typeWords.has(this.#peek().upper)) this.#at += 1
    if (isSign(this.#peek(), '(')) this.#arguments()
    while (typeWords.has(this.#peek().upper)) this.#at += 1
    while (this.#skipSign('[')) {
      if (this.#peek().kind === 'number') this.#at += 1
      this.#expect(']')
    }
    return name
  }
}

/** In the form of PostgreSQL. */
function nextValue(sequence: string): Expression {
  return { kind: 'call', name: 'NEXTVAL', parts: [{ kind: 'text', value: sequence }] }
}

/** A date has only the day of a moment, and a text may have no more. */
function asType(value: Expression, type: string): Expression {
  const isDay = /^(?:date|time)$/i.test(type)
  const isMoment =
    value.kind === 'text'
      ? isDay && /^now$/i.test(value.value)
      : (value.kind === 'call' || value.kind === 'column') && isMomentName(value.name)
  const isPart = isMoment && (isDay || /char|text|clob/i.test(type))
  return isPart || (isDay && value.kind === 'call') ? { kind: 'call', name: 'DATE', parts: [value] } : value
}
