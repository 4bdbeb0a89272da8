import { call, type Comparison, isComparison, type Expression, type Operator } from '@cadmus/model/conditions/condition'
import { isEqual } from '@cadmus/model/equal'
import type { LiteralType } from '@cadmus/model/values/literal'
import { readDecimal, writeDecimal } from '@cadmus/model/values/number'
import { letters } from '../condition-sql.ts'
import { type Constant, constantOf } from './constant.ts'
import type { Expression as Written } from './expression.ts'
import { valueText } from './value-text.ts'

export type ReadColumn = LiteralType & { name: string }

/** The condition in the language of the model; null if it cannot say it. `columnOf`: the column of a name in the script. */
export function conditionOf(written: Written, columnOf: (name: string) => ReadColumn | undefined): Expression | null {
  try {
    return new ConditionReader(columnOf).condition(written)
  } catch (error) {
    if (error instanceof Unsaid) return null
    throw error
  }
}

class Unsaid extends Error {}

const functions: Readonly<Record<string, Operator | undefined>> = {
  LENGTH: 'length',
  LEN: 'length',
  CHAR_LENGTH: 'length',
  CHARACTER_LENGTH: 'length',
  LOWER: 'lower',
  LCASE: 'lower',
  UPPER: 'upper',
  UCASE: 'upper',
  CONCAT: 'concat',
  COALESCE: 'coalesce',
  IFNULL: 'coalesce',
  NVL: 'coalesce',
  YEAR: 'year',
  MONTH: 'month',
  DAY: 'day',
  DAYOFMONTH: 'day',
}
const units: Readonly<Record<string, Operator | undefined>> = { YEAR: 'year', MONTH: 'month', DAY: 'day' }

class ConditionReader {
  readonly #columnOf: (name: string) => ReadColumn | undefined

  constructor(columnOf: (name: string) => ReadColumn | undefined) {
    this.#columnOf = columnOf
  }

  condition(written: Written): Expression {
    switch (written.kind) {
      case 'all':
      case 'any': {
        const parts = written.kind === 'all' ? withoutLengths(written.parts) : written.parts
        const conditions = parts.map(part => this.condition(part))
        const [first] = conditions
        return conditions.length === 1 && first ? first : call(written.kind === 'all' ? 'and' : 'or', ...conditions)
      }
      case 'not':
        return call('not', this.condition(written.part))
      case 'isNull':
        return call('isNull', this.#value(written.part))
      case 'isPresent':
        return call('not', call('isNull', this.#value(written.part)))
      case 'in':
        return call('in', ...this.#alike([written.left, ...written.parts]))
      case 'between':
        return call(
          'and',
          this.#compared('>=', written.left, written.low),
          this.#compared('<=', written.left, written.high),
        )
      case 'compare': {
        const operator = written.operator as Operator
        if (!isComparison(operator)) throw new Unsaid()
        return this.#compared(operator, written.left, written.right)
      }
      case 'column': {
        const value = this.#value(written)
        if (this.#typeIn(written)?.dataType === 'boolean') return value
        throw new Unsaid()
      }
      default:
        throw new Unsaid()
    }
  }

  #compared(operator: Comparison, left: Written, right: Written): Expression {
    const sides = this.#alike([left, right])
    const [one, other] = sides
    // Databases without booleans compare with 1.
    if (operator === '=' && one?.kind === 'attribute' && other?.kind === 'boolean' && other.value) return one
    return call(operator, ...sides)
  }

  /** Values that are compared: a literal is one of the column's type. */
  #alike(written: readonly Written[]): Expression[] {
    const type = written.map(one => this.#typeIn(one)).find(one => one !== undefined)
    const isCalculated = written.some(isCalculation)
    return written.map(one => {
      const constant = constantOf(one)
      if (!constant) return this.#value(one)
      // PostgreSQL writes a negative number as a text with a cast.
      const isNumber = !type && isCalculated && constant.kind === 'text' && readDecimal(constant.value) !== null
      return literalOf(isNumber ? { kind: 'number', value: constant.value } : constant, type)
    })
  }

  /** The type of the column whose values the expression has, perhaps instead of missing ones. */
  #typeIn(written: Written): ReadColumn | undefined {
    if (written.kind === 'column') return this.#columnOf(written.name)
    if (written.kind !== 'call' || functions[written.name] !== 'coalesce') return undefined
    return written.parts.map(part => this.#typeIn(part)).find(type => type !== undefined)
  }

  #value(written: Written): Expression {
    const constant = constantOf(written)
    if (constant) return literalOf(constant, undefined)
    switch (written.kind) {
      case 'column': {
        const column = this.#columnOf(written.name)
        if (!column) throw new Unsaid()
        return { kind: 'attribute', uid: '', name: column.name }
      }
      case 'sum':
      case 'join': {
        if (written.kind === 'join' && written.parts.some(part => this.#isText(part)))
          return call('concat', ...written.parts.map(part => this.#value(part)))
        return this.#chain(written.parts, part =>
          part.kind === 'negative' && constantOf(part) === null ? ['-', part.part] : ['+', part],
        )
      }
      case 'product':
        return this.#chain(written.parts, part => ['*', part])
      case 'call':
        return this.#call(written)
      default:
        throw new Unsaid()
    }
  }

  #chain(parts: readonly Written[], operatorOf: (part: Written) => readonly [Operator, Written]): Expression {
    const [first, ...others] = parts
    if (!first) throw new Unsaid()
    return others.reduce<Expression>((left, part) => {
      const [operator, operand] = operatorOf(part)
      return call(operator, left, this.#value(operand))
    }, this.#value(first))
  }

  #isText(written: Written): boolean {
    if (written.kind === 'column') return this.#columnOf(written.name)?.dataType === 'string'
    if (constantOf(written)?.kind === 'text') return true
    if (written.kind === 'join') return written.parts.some(part => this.#isText(part))
    return (
      written.kind === 'call' && written.parts.some(part => this.#isText(part)) && functions[written.name] !== 'length'
    )
  }

  #call({ name, parts }: Written & { kind: 'call' }): Expression {
    const [first] = parts
    if (!first) throw new Unsaid()
    const operator = functions[name]
    if (operator === 'length' || operator === 'lower' || operator === 'upper') {
      if (parts.length > 1) throw new Unsaid()
      return call(operator, this.#value(counted(first)))
    }
    if (operator === 'coalesce') return call(operator, ...this.#alike(parts))
    if (operator) return call(operator, ...parts.map(part => this.#value(part)))
    return this.#other({ kind: 'call', name, parts }, first)
  }

  /** Functions in the notation of one database. */
  #other({ name, parts }: Written & { kind: 'call' }, first: Written): Expression {
    const [, second, third] = parts
    switch (name) {
      case 'TRIM':
      case 'BTRIM':
        if (second && textOf(second) !== ' ') throw new Unsaid()
        return call('trim', this.#value(first))
      case 'LTRIM':
      case 'RTRIM': {
        const other = name === 'LTRIM' ? 'RTRIM' : 'LTRIM'
        if (first.kind !== 'call' || first.name !== other || first.parts.length > 1 || second) throw new Unsaid()
        return call('trim', ...first.parts.map(part => this.#value(part)))
      }
      case 'DATE_PART':
      case 'DATEPART': {
        const unit = units[(first.kind === 'column' ? first.name : (textOf(first) ?? '')).toUpperCase()]
        if (!unit || !second) throw new Unsaid()
        return call(unit, this.#value(second))
      }
      case 'TRANSLATE': {
        const [from, to] = [second && textOf(second), third && textOf(third)]
        if (from === letters.upper && to === letters.lower) return call('lower', this.#value(first))
        if (from === letters.lower && to === letters.upper) return call('upper', this.#value(first))
        throw new Unsaid()
      }
      case 'REPLACE':
        return this.#replaced({ kind: 'call', name, parts })
      // The length of a text in SQL Server.
      case '/':
        if (first.kind === 'call' && first.name === 'DATALENGTH' && second?.kind === 'number' && second.value === '2')
          return call('length', ...first.parts.map(part => this.#value(part)))
        throw new Unsaid()
      default:
        throw new Unsaid()
    }
  }

  /** Letters that are replaced one by one. */
  #replaced(written: Written): Expression {
    const pairs: string[] = []
    let inner = written
    while (inner.kind === 'call' && inner.name === 'REPLACE' && pairs.length < letters.upper.length) {
      const [text, from, to] = inner.parts
      if (!text || !from || !to) throw new Unsaid()
      pairs.unshift(`${textOf(from)}${textOf(to)}`)
      inner = text
    }
    const isAll = (from: string, to: string) =>
      pairs.join('') === Array.from(from, (one, at) => `${one}${to[at]}`).join('')
    if (isAll(letters.upper, letters.lower)) return call('lower', this.#value(inner))
    if (isAll(letters.lower, letters.upper)) return call('upper', this.#value(inner))
    throw new Unsaid()
  }
}

/** Whether its value is a number of its own. */
function isCalculation({ kind, ...written }: Written): boolean {
  if (kind === 'sum' || kind === 'product') return true
  return (
    kind === 'call' && 'name' in written && ['length', 'year', 'month', 'day'].includes(functions[written.name] ?? '')
  )
}

function textOf(written: Written): string | undefined {
  const constant = constantOf(written)
  return constant?.kind === 'text' ? constant.value : undefined
}

/** Without the replacement by which HSQLDB counts characters. */
function counted(written: Written): Written {
  if (written.kind !== 'call' || written.name !== 'REGEXP_REPLACE') return written
  const [text, pattern] = written.parts
  return text && pattern && textOf(pattern) === '(?s).' ? text : written
}

/** Without comparisons of the lengths of what is compared, as in scripts for SQL Server. */
function withoutLengths(parts: readonly Written[]): readonly Written[] {
  const isLength = (part: Written) =>
    part.kind === 'compare' &&
    part.operator === '=' &&
    isOwnLength(part.left) &&
    isOwnLength(part.right) &&
    parts.some(
      one =>
        one.kind === 'compare' &&
        one !== part &&
        isEqual([one.left, one.right], [lengthOf(part.left), lengthOf(part.right)]),
    )
  return parts.filter(part => !isLength(part))
}

function isOwnLength(written: Written): boolean {
  return lengthOf(written) !== undefined
}

function lengthOf(written: Written): Written | undefined {
  return written.kind === 'call' && written.name === 'DATALENGTH' ? written.parts[0] : undefined
}

function literalOf(constant: Constant, type: LiteralType | undefined): Expression {
  const isNumber = type?.dataType === 'integer' || type?.dataType === 'double' || type?.dataType === 'float'
  // A number may be compared with others that the column cannot have.
  if (constant.kind === 'number' && (isNumber || !type)) {
    const read = readDecimal(constant.value)
    if (!read) throw new Unsaid()
    return { kind: 'number', value: writeDecimal(read) }
  }
  if (!type) {
    if (constant.kind === 'boolean') return { kind: 'boolean', value: constant.value }
    if (constant.kind !== 'text') throw new Unsaid()
    return { kind: 'text', value: constant.value }
  }
  const text = valueText(constant, { ...type, maxLength: null })
  if (text === null) throw new Unsaid()
  if (type.dataType === 'boolean') return { kind: 'boolean', value: text === 'true' }
  return { kind: isNumber ? 'number' : 'text', value: text }
}
