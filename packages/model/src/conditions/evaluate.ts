import type { Literal } from '../values/literal.ts'
import { readDecimal } from '../values/number.ts'
import type { Comparison, Operator } from './condition.ts'
import type { Typed } from './types.ts'

/** A condition's result; null: unknown, which passes. */
export type Truth = boolean | null

/** The result for the values of one record; null: a column without a value. */
export function evaluated<C>(condition: Typed<C>, valueOf: (column: C) => Literal | null): Truth {
  const truth = (typed: Typed<C>): Truth => {
    if (typed.kind !== 'call') {
      const value = valueIn(typed)
      return value === null ? null : value.value === true
    }
    const { operator, operands } = typed
    switch (operator) {
      case 'and':
        return both(operands.map(truth))
      case 'or':
        return not(both(operands.map(operand => not(truth(operand)))))
      case 'not':
        return not(both(operands.map(truth)))
      case 'isNull':
        return operands.some(operand => valueIn(operand) === null)
      case 'in': {
        const [first = null, ...others] = operands.map(valueIn)
        return not(both(others.map(other => not(compared('=', first, other)))))
      }
      default: {
        const [left = null, right = null] = operands.map(valueIn)
        return compared(operator as Comparison, left, right)
      }
    }
  }
  const valueIn = (typed: Typed<C>): Literal | null => {
    if (typed.kind === 'value') return typed.value
    if (typed.kind === 'column') return valueOf(typed.column)
    const values = typed.operands.map(valueIn)
    if (typed.operator === 'coalesce') return values.find(value => value !== null) ?? null
    const present = values.filter(value => value !== null)
    return present.length < values.length ? null : calculated(typed.operator, present)
  }
  return truth(condition)
}

function not(truth: Truth): Truth {
  return truth === null ? null : !truth
}

function both(truths: readonly Truth[]): Truth {
  return truths.includes(false) ? false : truths.includes(null) ? null : true
}

function compared(operator: Comparison, left: Literal | null, right: Literal | null): Truth {
  if (left === null || right === null) return null
  const order = orderOf(left, right)
  switch (operator) {
    case '=':
      return order === 0
    case '<>':
      return order !== 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
  }
}

function orderOf(left: Literal, right: Literal): number {
  if (left.kind === 'number' && right.kind === 'number') {
    const difference = calculated('-', [left, right]).value
    return difference === '0' ? 0 : String(difference).startsWith('-') ? -1 : 1
  }
  const [one, other] = [comparable(left), comparable(right)]
  return one === other ? 0 : one < other ? -1 : 1
}

/** Moments and times with all decimal places, so that they are ordered as texts. */
function comparable({ kind, value }: Literal): string {
  const text = String(value)
  if (kind !== 'time' && kind !== 'timestamp' && kind !== 'instant') return text
  const [whole = '', fraction = ''] = text.split('.')
  return `${whole}.${fraction.padEnd(6, '0')}`
}

function calculated(operator: Operator, values: readonly Literal[]): Literal {
  const [first, second] = values
  const text = first ? String(first.value) : ''
  switch (operator) {
    case '+':
    case '-':
    case '*':
      return calculatedNumber(operator, text, second ? String(second.value) : '0')
    case 'length':
      return number(BigInt(Array.from(text).length), 0)
    case 'lower':
      return { kind: 'text', value: text.replace(/[A-Z]/g, letter => letter.toLowerCase()) }
    case 'upper':
      return { kind: 'text', value: text.replace(/[a-z]/g, letter => letter.toUpperCase()) }
    case 'trim':
      return { kind: 'text', value: text.replace(/^ +/, '').replace(/(?<! ) +$/, '') }
    case 'concat':
      return { kind: 'text', value: values.map(({ value }) => value).join('') }
    case 'year':
      return number(BigInt(text.slice(0, 4)), 0)
    case 'month':
      return number(BigInt(text.slice(5, 7)), 0)
    case 'day':
      return number(BigInt(text.slice(8, 10)), 0)
    default:
      throw new RangeError(`'${operator}' has no value.`)
  }
}

type Scaled = { digits: bigint; scale: number }

function calculatedNumber(operator: '+' | '-' | '*', left: string, right: string): Literal {
  const [one, other] = [scaled(left), scaled(right)]
  if (operator === '*') return number(one.digits * other.digits, one.scale + other.scale)
  const scale = Math.max(one.scale, other.scale)
  const [a, b] = [one, other].map(({ digits, scale: own }) => digits * 10n ** BigInt(scale - own)) as [bigint, bigint]
  return number(operator === '+' ? a + b : a - b, scale)
}

function scaled(text: string): Scaled {
  const decimal = readDecimal(text)
  if (!decimal) throw new RangeError('A number has at most a thousand digits.')
  const digits = BigInt(`${decimal.whole}${decimal.fraction}` || '0')
  return { digits: decimal.negative ? -digits : digits, scale: decimal.fraction.length }
}

function number(digits: bigint, scale: number): Literal {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  const fraction = scale === 0 ? '' : text.slice(-scale).replace(/0+$/, '')
  const whole = scale === 0 ? text : text.slice(0, -scale)
  const value = fraction === '' ? whole : `${whole}.${fraction}`
  return { kind: 'number', value: digits < 0n ? `-${value}` : value }
}
