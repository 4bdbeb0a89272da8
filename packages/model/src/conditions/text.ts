import { checkTexts } from '../messages/checks.ts'
import { readDecimal, writeDecimal } from '../values/number.ts'
import { limits } from '../limits.ts'
import { call, type Call, type Expression, functions, type Operator } from './condition.ts'

// The language of conditions: one printer and one parser, which understands what the printer writes.

/** Binding strength; operands that bind less are in parentheses. */
const strengths = { or: 1, and: 2, not: 3, comparison: 4, sum: 5, product: 6, operand: 7 } as const

const plainName = /^[\p{L}_][\p{L}\p{N}_]*$/u
const keywords = new Set(['and', 'or', 'not', 'in', 'is', 'null', 'true', 'false', 'between'])
const functionOf = new Map<string, Operator>(functions.map(name => [name, name]))

/** A condition as people write it. */
export function conditionText(expression: Expression): string {
  return written(expression, 0)
}

function written(expression: Expression, least: number): string {
  switch (expression.kind) {
    case 'attribute':
      return nameText(expression.name)
    case 'number':
      return expression.value.startsWith('-') && least > strengths.sum ? `(${expression.value})` : expression.value
    case 'text':
      return `'${expression.value.replaceAll("'", "''")}'`
    case 'boolean':
      return String(expression.value)
    case 'call': {
      const { text, strength } = callText(expression)
      return strength < least ? `(${text})` : text
    }
  }
}

/** A name, in quotes if it could be read otherwise. */
export function nameText(name: string): string {
  return plainName.test(name) && !keywords.has(name.toLowerCase()) ? name : `"${name.replaceAll('"', '""')}"`
}

function callText({ operator, operands }: Call): { text: string; strength: number } {
  const joined = (separator: string, strength: number, first = strength) => ({
    text: operands.map((operand, at) => written(operand, at === 0 ? first : strength + 1)).join(separator),
    strength,
  })
  const [first] = operands
  switch (operator) {
    case 'and':
    case 'or':
      return joined(` ${operator} `, strengths[operator], strengths[operator] + 1)
    case 'not':
      return first && isNegatable(first)
        ? { text: negated(first), strength: strengths.comparison }
        : { text: `not ${first ? written(first, strengths.not) : ''}`, strength: strengths.not }
    case '=':
    case '<>':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return {
        text: operands.map(operand => written(operand, strengths.sum)).join(` ${operator} `),
        strength: strengths.comparison,
      }
    case 'in':
    case 'isNull':
      return { text: negatable({ kind: 'call', operator, operands }, ''), strength: strengths.comparison }
    case '+':
    case '-':
      return joined(` ${operator} `, strengths.sum)
    case '*':
      return joined(' * ', strengths.product)
    default:
      return {
        text: `${operator}(${operands.map(operand => written(operand, 0)).join(', ')})`,
        strength: strengths.operand,
      }
  }
}

function isNegatable(expression: Expression): expression is Call {
  return expression.kind === 'call' && (expression.operator === 'in' || expression.operator === 'isNull')
}

function negated(expression: Call): string {
  return negatable(expression, 'not ')
}

function negatable({ operator, operands: [first, ...others] }: Call, not: string): string {
  const subject = first ? written(first, strengths.sum) : ''
  return operator === 'isNull'
    ? `${subject} is ${not}null`
    : `${subject} ${not}in (${others.map(other => written(other, 0)).join(', ')})`
}

/** A condition, or why a text is none, and where: the offset of the sign and its length. */
export type ReadCondition = { condition: Expression } | { fault: string; from: number; to: number }

/** Reads a condition. Columns get no uid; they are named as written. */
export function readCondition(text: string): ReadCondition {
  try {
    return { condition: new Parser(text).whole() }
  } catch (error) {
    if (error instanceof SyntaxFault) return { fault: error.message, from: error.from, to: error.to }
    throw error
  }
}

class SyntaxFault extends Error {
  readonly from: number
  readonly to: number

  constructor(message: string, from: number, to: number) {
    super(message)
    this.from = from
    this.to = to
  }
}

type Token = { kind: 'name' | 'quoted' | 'number' | 'text' | 'sign' | 'end'; value: string; from: number; to: number }

const signs =
  /(?<space>\s+)|(?<name>[\p{L}_][\p{L}\p{N}_]*)|"(?<quoted>(?:[^"]|"")*)"|(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|'(?<text>(?:[^']|'')*)'|(?<sign><=|>=|<>|!=|[=<>+\-*(),])/uy

function conditionTokens(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    signs.lastIndex = at
    const found = signs.exec(text)?.groups
    if (!found) {
      const sign = String.fromCodePoint(text.codePointAt(at) ?? 0)
      const fault = sign === "'" || sign === '"' ? checkTexts.unclosed(sign) : checkTexts.unexpected(sign)
      throw new SyntaxFault(fault, at, at + sign.length)
    }
    const to = signs.lastIndex
    const kind = (['name', 'quoted', 'number', 'text', 'sign'] as const).find(name => found[name] !== undefined)
    if (kind) tokens.push({ kind, value: unquoted(found[kind] ?? '', kind), from: at, to })
    at = to
  }
  return [...tokens, { kind: 'end', value: '', from: text.length, to: text.length }]
}

function unquoted(value: string, kind: Token['kind']): string {
  if (kind === 'quoted') return value.replaceAll('""', '"')
  return kind === 'text' ? value.replaceAll("''", "'") : value
}

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(text: string) {
    if (text.length > limits.checks.text) throw new SyntaxFault(checkTexts.tooLarge, 0, text.length)
    this.#tokens = conditionTokens(text)
  }

  whole(): Expression {
    const expression = this.#any()
    if (this.#next.kind !== 'end') throw this.#unexpected()
    return expression
  }

  get #next(): Token {
    const token = this.#tokens[this.#at]
    if (!token) throw new RangeError('A condition ends with an end.')
    return token
  }

  #unexpected(): SyntaxFault {
    const { kind, from, to, value } = this.#next
    return new SyntaxFault(kind === 'end' ? checkTexts.incomplete : checkTexts.unexpected(value), from, to)
  }

  #takes(kind: 'name' | 'sign', ...values: readonly string[]): string | undefined {
    const token = this.#next
    const value = kind === 'name' ? token.value.toLowerCase() : token.value
    if (token.kind !== kind || !values.includes(value)) return undefined
    this.#at += 1
    return value
  }

  #expect(kind: 'name' | 'sign', value: string): void {
    if (this.#takes(kind, value) === undefined) throw this.#unexpected()
  }

  #any(): Expression {
    this.#depth += 1
    if (this.#depth > limits.checks.depth) {
      const { from, to } = this.#next
      throw new SyntaxFault(checkTexts.tooLarge, from, to)
    }
    const expression = this.#list('or', () => this.#list('and', () => this.#not()))
    this.#depth -= 1
    return expression
  }

  #list(operator: 'and' | 'or', part: () => Expression): Expression {
    const parts = [part()]
    while (this.#takes('name', operator)) parts.push(part())
    return parts.length === 1 && parts[0] ? parts[0] : call(operator, ...parts)
  }

  #not(): Expression {
    let count = 0
    while (this.#takes('name', 'not')) count += 1
    let expression = this.#predicate()
    for (; count > 0; count -= 1) expression = call('not', expression)
    return expression
  }

  #predicate(): Expression {
    const left = this.#sum()
    const comparison = this.#takes('sign', '=', '<>', '!=', '<', '<=', '>', '>=')
    if (comparison !== undefined) {
      return call(comparison === '!=' ? '<>' : (comparison as '='), left, this.#sum())
    }
    if (this.#takes('name', 'is')) {
      const isNot = this.#takes('name', 'not') !== undefined
      this.#expect('name', 'null')
      return isNot ? call('not', call('isNull', left)) : call('isNull', left)
    }
    const isNot = this.#takes('name', 'not') !== undefined
    const negate = (expression: Expression) => (isNot ? call('not', expression) : expression)
    if (this.#takes('name', 'in')) return negate(call('in', left, ...this.#operands()))
    if (this.#takes('name', 'between')) {
      const least = this.#sum()
      this.#expect('name', 'and')
      return negate(call('and', call('>=', left, least), call('<=', left, this.#sum())))
    }
    if (isNot) throw this.#unexpected()
    return left
  }

  #operands(): Expression[] {
    this.#expect('sign', '(')
    const operands = [this.#any()]
    while (this.#takes('sign', ',')) operands.push(this.#any())
    this.#expect('sign', ')')
    return operands
  }

  #sum(): Expression {
    let left = this.#product()
    for (;;) {
      const operator = this.#takes('sign', '+', '-')
      if (operator === undefined) return left
      left = call(operator === '+' ? '+' : '-', left, this.#product())
    }
  }

  #product(): Expression {
    let left = this.#operand()
    while (this.#takes('sign', '*')) left = call('*', left, this.#operand())
    return left
  }

  #operand(): Expression {
    if (this.#takes('sign', '-')) {
      const number = this.#next.kind === 'number' ? this.#operand() : undefined
      if (number?.kind === 'number') return { kind: 'number', value: number.value === '0' ? '0' : `-${number.value}` }
      throw this.#unexpected()
    }
    const token = this.#next
    if (this.#takes('sign', '(')) {
      const inner = this.#any()
      this.#expect('sign', ')')
      return inner
    }
    if (token.kind === 'end' || token.kind === 'sign') throw this.#unexpected()
    const word = token.kind === 'name' ? token.value.toLowerCase() : undefined
    if (word !== undefined && keywords.has(word) && word !== 'true' && word !== 'false') throw this.#unexpected()
    this.#at += 1
    if (token.kind === 'text') return { kind: 'text', value: token.value }
    if (token.kind === 'number') {
      const read = readDecimal(token.value)
      if (!read) throw new SyntaxFault(checkTexts.unexpected(token.value), token.from, token.to)
      return { kind: 'number', value: writeDecimal(read) }
    }
    if (word === 'true' || word === 'false') return { kind: 'boolean', value: word === 'true' }
    if (word !== undefined && this.#next.kind === 'sign' && this.#next.value === '(') {
      const operator = functionOf.get(word)
      if (!operator) throw new SyntaxFault(checkTexts.unknownFunction(token.value), token.from, token.to)
      return call(operator, ...this.#operands())
    }
    return { kind: 'attribute', uid: '', name: token.value }
  }
}
