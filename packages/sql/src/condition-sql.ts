import { isEqual } from '@cadmus/model/equal'
import { isComparison } from '@cadmus/model/conditions/condition'
import { type Typed, type ValueType, withColumns } from '@cadmus/model/conditions/types'
import type { Literal } from '@cadmus/model/values/literal'
import type { CheckedColumn, ColumnType } from './tree.ts'

/** What databases word differently in conditions. */
export type ConditionWords = {
  /** Letters A to Z only, as on all databases. */
  lower(text: string): string
  upper(text: string): string
  /** Without spaces at both ends. */
  trim(text: string): string
  concat(texts: readonly string[]): string
  length(text: string): string
  part(unit: 'year' | 'month' | 'day', moment: string): string
  /** The n-th part of a text, from 1; null if it has fewer. `units`: length of the separator. */
  split(text: string, separator: string, units: number, number: number): string
  /** A number with this many digits, so that calculations are exact; null: not possible. */
  exact(number: string, whole: number, scale: number): string | null
  /** A literal that has its type wherever it is. */
  literal(value: Literal, kind: string): string
  /** Whether two texts are equal, trailing spaces included. */
  equalTexts(left: string, right: string): string
  /** Whether a condition can have the column in such a place. */
  compares(type: ColumnType): boolean
  /** Whether whole numbers in calculations need their digits, too. */
  castsLiterals: boolean
  /** Whether the database reads its own text of a difference again, where a negative number behind the minus begins a comment. */
  losesNegatives: boolean
  /** Whether results of COALESCE without columns are filled with spaces to the length of the longest text. */
  fillsTexts: boolean
  /** Whether results of COALESCE have the digits of one of its operands. */
  alignsNumbers: boolean
  /** Whether an empty text can be compared. */
  hasEmptyText: boolean
  /**
   * A call of the evaluator in place of a condition that the database cannot say, for rows that are counted: the condition as JSON, and
   * values of the columns that it names by index; null: not possible.
   */
  evaluated: ((condition: string, values: readonly { text: string; type: ColumnType }[]) => string) | null
}

/** Those that are exchanged. */
export const letters = { lower: 'abcdefghijklmnopqrstuvwxyz', upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' } as const

/** Exchanges letters in one function. */
export const translated = {
  lower: (text: string) => `TRANSLATE(${text}, '${letters.upper}', '${letters.lower}')`,
  upper: (text: string) => `TRANSLATE(${text}, '${letters.lower}', '${letters.upper}')`,
}

/** Exchanges letters one by one, without regard to a collation. */
export const replaced = {
  lower: (text: string) => replacing(text, letters.upper, letters.lower),
  upper: (text: string) => replacing(text, letters.lower, letters.upper),
}

function replacing(text: string, from: string, to: string): string {
  return Array.from(from).reduce((inner, letter, at) => `REPLACE(${inner}, '${letter}', '${to[at]}')`, text)
}

type Splitting = Pick<ConditionWords, 'length' | 'concat'> & {
  /** The place of a text in another one that has it, from a place on. */
  locate(part: string, text: string, start: string): string
  substring(text: string, start: string, length: string): string
}

/** The words of most databases for that. */
export const located = {
  locate: (part: string, text: string, start: string) => `LOCATE(${part}, ${text}, ${start})`,
  substring: (text: string, start: string, length: string) => `SUBSTRING(${text}, ${start}, ${length})`,
}

/** Splits by places of the separator. One at the end is always there; separators do not overlap themselves. */
export function splitByPlace({ length, concat, locate, substring }: Splitting): ConditionWords['split'] {
  return (text, separator, units, number) => {
    const ended = concat([`(${text})`, separator])
    let start = '1'
    for (let part = 1; part < number; part += 1) start = `${locate(separator, ended, start)} + ${units}`
    const piece = substring(text, start, `${locate(separator, ended, start)} - (${start})`)
    return hasParts(text, separator, units, number, length, piece)
  }
}

export function hasParts(
  text: string,
  separator: string,
  units: number,
  number: number,
  length: ConditionWords['length'],
  piece: string,
): string {
  const others = `COALESCE(${length(`REPLACE(${text}, ${separator}, '')`)}, 0)`
  return number === 1 ? piece : `CASE WHEN ${length(text)} - ${others} >= ${(number - 1) * units} THEN ${piece} END`
}

/** The words of the standard. */
export const standardWords: Omit<ConditionWords, 'literal' | 'length' | 'split'> = {
  ...translated,
  trim: text => `TRIM(${text})`,
  concat: texts => texts.join(' || '),
  part: (unit, moment) => `EXTRACT(${unit.toUpperCase()} FROM ${moment})`,
  exact: (number, whole, scale) => `CAST(${number} AS DECIMAL(${whole + scale}, ${scale}))`,
  equalTexts: (left, right) => `${left} = ${right}`,
  compares: () => true,
  castsLiterals: false,
  losesNegatives: false,
  fillsTexts: false,
  alignsNumbers: false,
  hasEmptyText: true,
  evaluated: null,
}

/** The condition in SQL; null if the database cannot say it with the same meaning. */
export function conditionSql(
  condition: Typed<CheckedColumn>,
  words: ConditionWords,
  column: (column: CheckedColumn) => string,
): string | null {
  try {
    return new ConditionWriter(words, column).condition(condition).text
  } catch (error) {
    if (error instanceof Inexpressible) return null
    throw error
  }
}

/** The value in SQL; null if the database cannot compute it with the same meaning. */
export function valueSql(
  value: Typed<CheckedColumn>,
  words: ConditionWords,
  column: (column: CheckedColumn) => string,
): string | null {
  // Texts of any length can be computed with, though not compared.
  const computing = { ...words, compares: (type: ColumnType) => type.kind === 'text' || words.compares(type) }
  try {
    return value.kind === 'column' ? column(value.column) : new ConditionWriter(computing, column).value(value)
  } catch (error) {
    if (error instanceof Inexpressible) return null
    throw error
  }
}

/** A column of `EvaluatedCondition`: the index of its value, and the kind of literal that it is. */
export type EvaluatedColumn = { at: number; kind: Literal['kind'] }

/** As `conditionSql`, in a query; where the database cannot say the condition, it calls the evaluator. */
export function queriedCondition(
  condition: Typed<CheckedColumn>,
  words: ConditionWords,
  value: (column: CheckedColumn) => string,
): string | null {
  const sql = conditionSql(condition, words, value)
  if (sql !== null || !words.evaluated) return sql
  const columns: CheckedColumn[] = []
  const named = withColumns(condition, (column): EvaluatedColumn => {
    const known = columns.findIndex(({ name }) => name === column.name)
    const at = known < 0 ? columns.push(column) - 1 : known
    return { at, kind: literalKindOf(column.columnType) }
  })
  const values = columns.map(column => ({ text: value(column), type: column.columnType }))
  return words.evaluated(JSON.stringify(named), values)
}

function literalKindOf({ kind }: ColumnType): Literal['kind'] {
  switch (kind) {
    case 'integer':
    case 'decimal':
    case 'double':
      return 'number'
    case 'boolean':
    case 'date':
    case 'time':
    case 'timestamp':
    case 'instant':
      return kind
    default:
      return 'text'
  }
}

/** The condition on the columns of an adapted table. */
export function rowCondition(
  condition: Typed<CheckedColumn>,
  { condition: words, quote }: { condition: ConditionWords; quote(name: string): string },
): string | null {
  return conditionSql(condition, words, ({ name }) => quote(name))
}

class Inexpressible extends Error {}

/** `strength`: 1 of OR, 2 of AND, 3 of conditions that need no parentheses. */
type Written = { text: string; strength: 1 | 2 | 3 }

class ConditionWriter {
  readonly #words: ConditionWords
  readonly #column: (column: CheckedColumn) => string

  constructor(words: ConditionWords, column: (column: CheckedColumn) => string) {
    this.#words = words
    this.#column = column
  }

  condition(typed: Typed<CheckedColumn>): Written {
    // Some databases have no boolean type.
    if (typed.kind !== 'call') {
      const isTrue = this.#words.literal({ kind: 'boolean', value: true }, 'boolean')
      return { text: `${this.#value(typed)} = ${isTrue}`, strength: 3 }
    }
    const { operator, operands } = typed
    const [first] = operands
    if (!first) throw new Inexpressible()
    if (operator === 'and' || operator === 'or') {
      const strength = operator === 'and' ? 2 : 1
      const parts = operands.map(operand => {
        const part = this.condition(operand)
        return part.strength <= strength ? `(${part.text})` : part.text
      })
      return { text: parts.join(` ${operator.toUpperCase()} `), strength }
    }
    if (operator === 'not') {
      if (first.kind === 'call' && first.operator === 'isNull')
        return { text: `${this.#nullable(first)} IS NOT NULL`, strength: 3 }
      return { text: `NOT (${this.condition(first).text})`, strength: 3 }
    }
    if (operator === 'isNull') return { text: `${this.#nullable(typed)} IS NULL`, strength: 3 }
    if (operator === 'in') return this.#in(typed)
    if (!isComparison(operator)) throw new Inexpressible()
    const [left = '', right = ''] = operands.map(operand => this.#side(operand))
    if (first.type.kind === 'text') {
      const text = this.#words.equalTexts(left, right)
      const isPlain = text === `${left} = ${right}`
      if (isPlain) return { text: `${left} ${operator} ${right}`, strength: 3 }
      return operator === '=' ? { text, strength: 2 } : { text: `NOT (${text})`, strength: 3 }
    }
    return { text: `${left} ${operator} ${right}`, strength: 3 }
  }

  /** A text that is calculated from literals is not filled, either. */
  #side(typed: Typed<CheckedColumn>): string {
    const text = this.#value(typed)
    const isFilled = this.#words.fillsTexts && typed.kind === 'call' && typed.type.kind === 'text' && !hasColumn(typed)
    return isFilled ? `CAST(${text} AS VARCHAR(32767))` : text
  }

  #in({ operands: [first, ...values] }: Typed<CheckedColumn> & { kind: 'call' }): Written {
    if (!first) throw new Inexpressible()
    const subject = this.#side(first)
    const texts = values.map(value => this.#value(value))
    const isPlain = first.type.kind !== 'text' || this.#words.equalTexts('a', 'b') === 'a = b'
    if (isPlain) return { text: `${subject} IN (${texts.join(', ')})`, strength: 3 }
    return { text: texts.map(text => this.#words.equalTexts(subject, text)).join(' OR '), strength: 1 }
  }

  /** A value that is only tested for presence. */
  #nullable({ operands: [first] }: Typed<CheckedColumn> & { kind: 'call' }): string {
    if (!first) throw new Inexpressible()
    return first.kind === 'column' ? this.#column(first.column) : this.#operand(first)
  }

  value(typed: Typed<CheckedColumn>): string {
    return this.#value(typed)
  }

  #value(typed: Typed<CheckedColumn>): string {
    if (typed.kind === 'value') {
      if (typed.value.value === '' && !this.#words.hasEmptyText) throw new Inexpressible()
      return this.#words.literal(typed.value, typed.type.kind)
    }
    if (typed.kind === 'column') {
      if (!this.#words.compares(typed.column.columnType)) throw new Inexpressible()
      return this.#column(typed.column)
    }
    return this.#call(typed)
  }

  /** In parentheses where an operator follows. */
  #operand(typed: Typed<CheckedColumn>): string {
    const text = this.#value(typed)
    const isCalculated = typed.kind === 'call' && ['+', '-', '*', 'concat'].includes(typed.operator)
    return isCalculated || text.startsWith('-') ? `(${text})` : text
  }

  #call({ operator, operands, type }: Typed<CheckedColumn> & { kind: 'call' }): string {
    const words = this.#words
    const [first] = operands
    if (!first) throw new Inexpressible()
    switch (operator) {
      case '+':
      case '-':
      case '*':
        return this.#calculated(operator, operands, type)
      case 'length': {
        if (first.kind === 'column') return words.length(this.#column(first.column))
        return words.length(this.#operand(first))
      }
      case 'lower':
      case 'upper':
      case 'trim':
        return words[operator](this.#value(first))
      case 'concat':
        return words.concat(operands.map(operand => this.#operand(operand)))
      case 'part':
        return this.#split(operands)
      case 'coalesce':
        // Without a column it is never null.
        if (words.fillsTexts && !first.nullable && !hasColumn(first)) return this.#value(first)
        return `COALESCE(${operands.map(operand => (words.alignsNumbers ? this.#aligned(operand, type) : this.#value(operand))).join(', ')})`
      case 'year':
      case 'month':
      case 'day':
        return words.part(operator, this.#value(first))
      default:
        throw new Inexpressible()
    }
  }

  #calculated(operator: '+' | '-' | '*', operands: readonly Typed<CheckedColumn>[], type: ValueType): string {
    this.#digits('', type)
    const [first, second] = operands
    const negative = operator === '-' && this.#words.losesNegatives ? second && negativeOf(second) : undefined
    if (first && negative) return `${this.#exact(first)} + ${this.#exact(negative)}`
    return operands.map(operand => this.#exact(operand)).join(` ${operator} `)
  }

  /** A part of a text between separators. */
  #split([text, separator, number]: readonly Typed<CheckedColumn>[]): string {
    if (!text || separator?.kind !== 'value' || number?.kind !== 'value') throw new Inexpressible()
    const units = Array.from(String(separator.value.value)).length
    return this.#words.split(this.#operand(text), this.#value(separator), units, Number(number.value.value))
  }

  /** A number with the digits of the result. */
  #aligned(typed: Typed<CheckedColumn>, type: ValueType): string {
    const text = this.#value(typed)
    const isOther = type.kind === 'number' && type.whole !== null && !isEqual(typed.type, type)
    return isOther ? this.#digits(text, type) : text
  }

  #exact(typed: Typed<CheckedColumn>): string {
    const { type } = typed
    const isCalculated = typed.kind === 'call' && ['+', '-', '*'].includes(typed.operator)
    const text = isCalculated || typed.kind === 'value' ? this.#operand(typed) : this.#value(typed)
    const exact = this.#digits(text, type)
    return isCalculated || (typed.kind === 'value' && !this.#words.castsLiterals) ? text : exact
  }

  /** The number with its digits, if the database has so many. */
  #digits(text: string, type: ValueType): string {
    const exact = type.kind === 'number' && type.whole !== null ? this.#words.exact(text, type.whole, type.scale) : null
    if (exact === null) throw new Inexpressible()
    return exact
  }
}

function hasColumn(typed: Typed<CheckedColumn>): boolean {
  return typed.kind === 'column' || (typed.kind === 'call' && typed.operands.some(hasColumn))
}

/** A negative number without its sign. */
function negativeOf(typed: Typed<CheckedColumn>): Typed<CheckedColumn> | undefined {
  if (typed.kind !== 'value' || typed.value.kind !== 'number' || !typed.value.value.startsWith('-')) return undefined
  return { ...typed, value: { ...typed.value, value: typed.value.value.slice(1) } }
}
