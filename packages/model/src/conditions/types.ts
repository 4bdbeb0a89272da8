import { checkTexts } from '../messages/checks.ts'
import { limits } from '../limits.ts'
import {
  decimalShape,
  integerDigits,
  isFault,
  type Literal,
  type LiteralType,
  readChoice,
  readLiteral,
} from '../values/literal.ts'
import { readDecimal } from '../values/number.ts'
import {
  type AttributeOperand,
  type Call,
  type Expression,
  isComparison,
  isTooLarge,
  type Operator,
} from './condition.ts'
import { conditionText } from './text.ts'

/** What a column or part of a condition has as its values. `whole`: most digits before the point; null: not limited. */
export type ValueType =
  | { readonly kind: 'number'; readonly whole: number | null; readonly scale: number }
  | {
      readonly kind:
        | 'double'
        | 'single'
        | 'text'
        | 'boolean'
        | 'date'
        | 'time'
        | 'timestamp'
        | 'local'
        | 'instant'
        | 'guid'
        | 'other'
        | 'condition'
        /** Of a column whose type is not known. */
        | 'any'
    }

/** A column of a condition. */
export type ConditionColumn = { readonly type: ValueType; readonly nullable: boolean }

/** An expression with its columns found, and its literals read as values of what they are compared with. */
export type Typed<C = unknown> =
  | { readonly kind: 'column'; readonly column: C; readonly type: ValueType; readonly nullable: boolean }
  | { readonly kind: 'value'; readonly value: Literal; readonly type: ValueType; readonly nullable: false }
  | {
      readonly kind: 'call'
      readonly operator: Operator
      readonly operands: readonly Typed<C>[]
      readonly type: ValueType
      readonly nullable: boolean
    }

type AttributeType = LiteralType & { choices: readonly string[] }

const kinds = {
  date: { kind: 'date' },
  time: { kind: 'time' },
  timestamp: { kind: 'timestamp' },
  local: { kind: 'local' },
  instant: { kind: 'instant' },
  double: { kind: 'double' },
  single: { kind: 'single' },
  text: { kind: 'text' },
  guid: { kind: 'guid' },
  boolean: { kind: 'boolean' },
  condition: { kind: 'condition' },
  other: { kind: 'other' },
  any: { kind: 'any' },
} as const satisfies Record<string, ValueType>

/** Most digits of integers of that many bits. */
const longest = { 16: 5, 32: 10, 64: 19 } as const

/** The values of an attribute. */
export function valueTypeOf(type: AttributeType): ValueType {
  const { dataType, format } = type
  switch (dataType) {
    case 'boolean':
      return kinds.boolean
    case 'integer':
      return {
        kind: 'number',
        whole: integerDigits(type) ?? longest[format === 'int16' ? 16 : format === 'int32' ? 32 : 64],
        scale: 0,
      }
    case 'double':
    case 'float': {
      const shape = decimalShape(type)
      if (!shape) return format === 'single' ? kinds.single : kinds.double
      const { precision, scale } = shape
      return { kind: 'number', whole: precision === null ? null : precision - scale, scale }
    }
    case 'dateTime':
      return kinds[
        format === 'date' || format === 'time' || format === 'instant' || format === 'local' ? format : 'timestamp'
      ]
    case 'string':
      // Choices that are guids may differ in case, so such an attribute is a text.
      return format === 'guid' && !type.choices.some(choice => !isFault(readChoice(choice, type)))
        ? kinds.guid
        : kinds.text
    case 'object':
      return kinds.other
  }
}

/** Finds the columns of a condition and checks its types; the first fault, or the typed condition. */
export function typedCondition<C extends ConditionColumn>(
  condition: Expression,
  columnOf: (attribute: AttributeOperand) => C | undefined,
): { typed: Typed<C>; fault?: undefined } | { fault: string; typed?: undefined } {
  return typedBy(condition, new Typing(columnOf, false), typing => typing.condition(condition))
}

/** As `typedCondition`, for an expression with a value, which may have parts of texts. */
export function typedValue<C extends ConditionColumn>(
  expression: Expression,
  columnOf: (attribute: AttributeOperand) => C | undefined,
): { typed: Typed<C>; fault?: undefined } | { fault: string; typed?: undefined } {
  return typedBy(expression, new Typing(columnOf, true), typing => typing.value(expression))
}

function typedBy<C extends ConditionColumn>(
  expression: Expression,
  typing: Typing<C>,
  type: (typing: Typing<C>) => Typed<C>,
): { typed: Typed<C>; fault?: undefined } | { fault: string; typed?: undefined } {
  if (isTooLarge(expression)) return { fault: checkTexts.tooLarge }
  try {
    return { typed: type(typing) }
  } catch (error) {
    if (error instanceof TypeFault) return { fault: error.message }
    throw error
  }
}

class TypeFault extends Error {}

const numbers: readonly ValueType['kind'][] = ['number', 'double', 'single']
const ordered: readonly ValueType['kind'][] = [
  'number',
  'double',
  'single',
  'date',
  'time',
  'timestamp',
  'local',
  'instant',
]
/** Kinds whose values are written as texts, with the type that reads them. */
const writtenAsText = {
  date: { dataType: 'dateTime', format: 'date' },
  time: { dataType: 'dateTime', format: 'time' },
  timestamp: { dataType: 'dateTime', format: null },
  local: { dataType: 'dateTime', format: 'local' },
  instant: { dataType: 'dateTime', format: 'instant' },
  guid: { dataType: 'string', format: 'guid' },
} as const satisfies Partial<Record<ValueType['kind'], Pick<LiteralType, 'dataType' | 'format'>>>

class Typing<C extends ConditionColumn> {
  readonly #columnOf: (attribute: AttributeOperand) => C | undefined
  readonly #hasParts: boolean
  constructor(columnOf: (attribute: AttributeOperand) => C | undefined, hasParts: boolean) {
    this.#columnOf = columnOf
    this.#hasParts = hasParts
  }

  /** A part that is true or false: a comparison, or a boolean attribute. */
  condition(expression: Expression): Typed<C> {
    const typed = expression.kind === 'boolean' ? this.#value(expression) : this.#typed(expression)
    const { kind } = typed.type
    if (kind !== 'condition' && kind !== 'any' && (kind !== 'boolean' || typed.kind === 'value'))
      throw new TypeFault(checkTexts.noCondition(conditionText(expression)))
    return typed
  }

  #typed(expression: Expression): Typed<C> {
    if (expression.kind === 'call') return this.#call(expression)
    if (expression.kind !== 'attribute') return this.#value(expression)
    const column = this.#columnOf(expression)
    if (!column) throw new TypeFault(checkTexts.unknown(expression.name))
    return { kind: 'column', column, type: column.type, nullable: column.nullable }
  }

  #value(expression: Exclude<Expression, Call | AttributeOperand>): Typed<C> {
    const of = (type: ValueType): Typed<C> => ({ kind: 'value', value: expression as Literal, type, nullable: false })
    if (expression.kind === 'boolean') return of(kinds.boolean)
    if (expression.kind === 'text') {
      const read = readLiteral(expression.value, { ...untyped, dataType: 'string' })
      if (isFault(read)) throw new TypeFault(checkTexts.notA(conditionText(expression), read.fault))
      return of(kinds.text)
    }
    const decimal = readDecimal(expression.value)
    if (!decimal || /e/i.test(expression.value)) throw new TypeFault(checkTexts.notExact(expression.value))
    const type: ValueType = { kind: 'number', whole: decimal.whole.length, scale: decimal.fraction.length }
    if (type.scale + decimal.whole.length > limits.precision.max)
      throw new TypeFault(checkTexts.tooManyDigits(expression.value))
    return of(type)
  }

  #call(expression: Call): Typed<C> {
    const { operator, operands } = expression
    const text = conditionText(expression)
    const [least, most] = counts[operator] ?? [1, 1]
    if (operands.length < least || operands.length > most) throw new TypeFault(checkTexts.operands(text))
    if (operator === 'and' || operator === 'or' || operator === 'not') {
      const conditions = operands.map(operand => this.condition(operand))
      return made(operator, kinds.condition, conditions)
    }
    const values = operands.map(operand => this.#operand(operand))
    const isPredicate = isComparison(operator) || operator === 'in' || operator === 'isNull'
    return isPredicate ? this.#predicate(operator, values, text) : this.#calculation(expression, values, text)
  }

  #predicate(operator: Operator, values: readonly Typed<C>[], text: string): Typed<C> {
    // Databases compare literals of texts in their own ways.
    if (!values.some(hasColumn)) throw new TypeFault(checkTexts.noAttribute(text))
    if (operator === 'isNull') return made(operator, kinds.condition, values, false)
    if (operator === 'in' && values.slice(1).some(({ kind }) => kind !== 'value'))
      throw new TypeFault(checkTexts.inValues(text))
    const sides = this.#alike(values, text)
    const { kind } = sides.find(({ type }) => type.kind === 'any')?.type ?? sides[0]?.type ?? kinds.other
    const isOrder = operator !== '=' && operator !== '<>' && operator !== 'in'
    if (isOrder && kind !== 'any' && !ordered.includes(kind))
      throw new TypeFault(checkTexts.noOrder(text, nameOf(kind)))
    return made(operator, kinds.condition, sides)
  }

  #calculation(expression: Call, values: readonly Typed<C>[], text: string): Typed<C> {
    const { operator, operands } = expression
    switch (operator) {
      case '+':
      case '-':
      case '*':
        return made(operator, this.#calculated(operator, values, operands, text), values)
      case 'coalesce': {
        const alike = this.#alike(values, text)
        const wide = widest(alike.map(({ type }) => type))
        if (wide.kind === 'number' && (wide.whole ?? 0) + wide.scale > limits.precision.max)
          throw new TypeFault(checkTexts.tooManyDigits(text))
        const isNullable = alike.every(({ nullable }) => nullable)
        return made(operator, wide, alike, isNullable)
      }
      case 'year':
      case 'month':
      case 'day': {
        const kind = values[0]?.type.kind
        if (kind === 'instant') throw new TypeFault(checkTexts.noInstantParts(text))
        if (kind !== 'any' && kind !== 'date' && kind !== 'timestamp' && kind !== 'local')
          throw new TypeFault(checkTexts.needs(text, operator, nameOf('date')))
        return made(operator, { kind: 'number', whole: 4, scale: 0 }, values)
      }
      case 'part':
        return this.#part(operands, values, text)
      default:
        return this.#ofTexts(expression, values, text)
    }
  }

  #ofTexts({ operator, operands }: Call, values: readonly Typed<C>[], text: string): Typed<C> {
    if (values.some(({ type }) => type.kind !== 'text' && type.kind !== 'any'))
      throw new TypeFault(checkTexts.needs(text, operator, nameOf('text')))
    const missing = operator === 'concat' ? operands[values.findIndex(({ nullable }) => nullable)] : undefined
    if (missing) throw new TypeFault(checkTexts.maybeNull(conditionText(missing)))
    return made(operator, operator === 'length' ? { kind: 'number', whole: longest[32], scale: 0 } : kinds.text, values)
  }

  value(expression: Expression): Typed<C> {
    return this.#operand(expression)
  }

  #part(operands: readonly Expression[], values: readonly Typed<C>[], text: string): Typed<C> {
    if (!this.#hasParts) throw new TypeFault(checkTexts.unknownFunction('part'))
    const [whole, separator, number] = operands
    const kind = values[0]?.type.kind
    if (kind !== 'text' && kind !== 'any') throw new TypeFault(checkTexts.needs(text, 'part', nameOf('text')))
    const isSeparator = separator?.kind === 'text' && separator.value !== '' && !overlapsItself(separator.value)
    const isNumber = number?.kind === 'number' && /^[1-9]\d?$/.test(number.value)
    if (!whole || !isSeparator || !isNumber) throw new TypeFault(checkTexts.part(text))
    return made('part', kinds.text, values, true)
  }

  /** A part with a value. */
  #operand(expression: Expression): Typed<C> {
    const typed = this.#typed(expression)
    if (typed.type.kind === 'condition') throw new TypeFault(checkTexts.noValue(conditionText(expression)))
    return typed
  }

  /** Values of one type that can be compared; texts become literals of it. */
  #alike(values: readonly Typed<C>[], text: string): Typed<C>[] {
    if (values.some(({ type }) => type.kind === 'any')) return [...values]
    const isText = (one: Typed<C>) => one.kind === 'value' && one.type.kind === 'text'
    const main =
      values.find(one => !isText(one) && one.kind !== 'value') ?? values.find(one => !isText(one)) ?? values[0]
    const kind = main?.type.kind ?? 'other'
    if (kind === 'other') throw new TypeFault(checkTexts.uncompared(text))
    const float = values.find(({ type }) => type.kind === 'double' || type.kind === 'single')?.type
    return values.map(one => {
      if (one.kind === 'value' && isText(one) && kind in writtenAsText)
        return this.#written(one.value, main?.type ?? one.type)
      if (one.kind === 'value' && one.type.kind === 'number' && float) return asFloat(one.value, float)
      if (one.type.kind !== kind) throw new TypeFault(checkTexts.others(text, nameOf(kind), nameOf(one.type.kind)))
      return one
    })
  }

  #written({ value }: Literal, type: ValueType): Typed<C> {
    const shape = Object.entries(writtenAsText).find(([kind]) => kind === type.kind)?.[1]
    const read = readLiteral(String(value), { ...untyped, ...(shape ?? { dataType: 'string' }) })
    const shown = conditionText({ kind: 'text', value: String(value) })
    if (isFault(read)) throw new TypeFault(checkTexts.notA(shown, read.fault))
    return { kind: 'value', value: read, type, nullable: false }
  }

  #calculated(
    operator: '+' | '-' | '*',
    values: readonly Typed<C>[],
    parts: readonly Expression[],
    text: string,
  ): ValueType {
    if (values.some(({ type }) => type.kind === 'any')) return kinds.any
    const [left, right] = values.map(({ type }, at) => {
      if (!numbers.includes(type.kind)) throw new TypeFault(checkTexts.needs(text, operator, nameOf('number')))
      const whole = type.kind === 'number' ? type.whole : null
      if (whole === null || type.kind !== 'number') {
        const part = parts[at]
        throw new TypeFault(checkTexts.notExact(part ? conditionText(part) : text))
      }
      return { whole, scale: type.scale }
    })
    if (!left || !right) return kinds.other
    const isProduct = operator === '*'
    const whole = isProduct ? left.whole + right.whole : Math.max(left.whole, right.whole) + 1
    const scale = isProduct ? left.scale + right.scale : Math.max(left.scale, right.scale)
    // SQL Server has one digit less for products with decimal places.
    if (whole + scale + (isProduct && scale > 0 ? 1 : 0) > limits.precision.max)
      throw new TypeFault(checkTexts.tooManyDigits(text))
    return { kind: 'number', whole, scale }
  }
}

function made<C>(
  operator: Operator,
  type: ValueType,
  operands: readonly Typed<C>[],
  nullable = operands.some(one => one.nullable),
): Typed<C> {
  return { kind: 'call', operator, operands, type, nullable }
}

const untyped: LiteralType = { dataType: 'string', format: null, maxLength: null, precision: null, scale: null }

const many = [2, Infinity] as const
const counts: Partial<Record<Operator, readonly [least: number, most: number]>> = {
  and: many,
  or: many,
  in: many,
  concat: many,
  coalesce: many,
  part: [3, 3],
  '=': [2, 2],
  '<>': [2, 2],
  '<': [2, 2],
  '<=': [2, 2],
  '>': [2, 2],
  '>=': [2, 2],
  '+': [2, 2],
  '-': [2, 2],
  '*': [2, 2],
}

/** Then it would depend on the direction of the search where a text is parted. */
function overlapsItself(text: string): boolean {
  return Array.from({ length: text.length - 1 }, (_, at) => at + 1).some(length => text.startsWith(text.slice(-length)))
}

function hasColumn(typed: Typed): boolean {
  return typed.kind === 'column' || (typed.kind === 'call' && typed.operands.some(hasColumn))
}

function nameOf(kind: ValueType['kind']): string {
  return kind === 'condition' || kind === 'any' ? checkTexts.types.boolean : checkTexts.types[kind]
}

function widest(types: readonly ValueType[]): ValueType {
  return types.reduce((wide, type) => {
    if (wide.kind !== 'number' || type.kind !== 'number') return wide.kind === 'number' ? type : wide
    const whole = wide.whole === null || type.whole === null ? null : Math.max(wide.whole, type.whole)
    return { kind: 'number', whole, scale: Math.max(wide.scale, type.scale) }
  })
}

/** The condition with other columns. */
export function withColumns<C, D>(condition: Typed<C>, map: (column: C) => D): Typed<D> {
  if (condition.kind === 'value') return condition
  if (condition.kind === 'column') return { ...condition, column: map(condition.column) }
  return { ...condition, operands: condition.operands.map(operand => withColumns(operand, map)) }
}

/** The condition with other literals of the same order. */
export function withLiterals<C>(condition: Typed<C>, map: (value: Literal) => Literal): Typed<C> {
  if (condition.kind === 'value') return { ...condition, value: map(condition.value) }
  if (condition.kind === 'column') return condition
  return { ...condition, operands: condition.operands.map(operand => withLiterals(operand, map)) }
}

/** A number as the double that is compared, or the number of single precision; others are none. */
function asFloat<C>({ value }: Literal, type: ValueType): Typed<C> {
  const text = String(value)
  const read = readLiteral(text, { ...untyped, dataType: 'double' })
  const isExact = type.kind === 'double' || Math.fround(Number(text)) === Number(text)
  if (isFault(read) || !isExact || !sameNumber(String(read.value), text))
    throw new TypeFault(type.kind === 'double' ? checkTexts.doubleDigits(text) : checkTexts.singleDigits(text))
  return { kind: 'value', value: read, type, nullable: false }
}

function sameNumber(a: string, b: string): boolean {
  const [left, right] = [readDecimal(a), readDecimal(b)]
  return (
    left !== null &&
    right !== null &&
    left.negative === right.negative &&
    left.whole === right.whole &&
    left.fraction === right.fraction
  )
}
