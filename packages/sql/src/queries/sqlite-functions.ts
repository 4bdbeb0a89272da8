import { evaluated } from '@cadmus/model/conditions/evaluate'
import type { Typed } from '@cadmus/model/conditions/types'
import type { Literal } from '@cadmus/model/values/literal'
import { readDecimal, shortestOfSingle, writeDecimal } from '@cadmus/model/values/number'
import type { EvaluatedColumn } from '../condition-sql.ts'

// SQLite has no exact decimals and folds ASCII letters only. These functions are registered on each connection as
// deterministic.

type SqliteFunction = (value: string | null) => string | null
type Name = 'cadmus_fold' | 'cadmus_key' | 'cadmus_number' | 'cadmus_single' | 'cadmus_rounded' | 'cadmus_meets'

/** Functions of one text; null returns null. */
export const sqliteFunctions: Readonly<Record<Name, SqliteFunction>> = {
  /** Folds a text for search. */
  cadmus_fold: text => text?.toLowerCase() ?? null,
  /** Encodes a decimal as a text that sorts like the number. */
  cadmus_key: text => (text === null ? null : keyOf(text)),
  /** Decodes the text of `cadmus_key`. */
  cadmus_number: key => (key === null ? null : numberOf(key)),
  /** The shortest text of a number in single precision. */
  cadmus_single: number => (number === null ? null : String(shortestOfSingle(Number(number)))),
  /** The nearest number in single precision. */
  cadmus_rounded: number => (number === null ? null : String(Math.fround(Number(number)))),
  /** Whether values meet a condition: '1', '0', or null for unknown. The text is a list in JSON: the condition, and the values as texts. */
  cadmus_meets: text => (text === null ? null : truthOf(text)),
}

function truthOf(text: string): string | null {
  const [condition, ...values] = JSON.parse(text) as [Typed<EvaluatedColumn>, ...(string | null)[]]
  const truth = evaluated(condition, ({ at, kind }): Literal | null => {
    const value = values[at] ?? null
    if (value === null) return null
    return kind === 'boolean' ? { kind, value: value === '1' } : { kind, value }
  })
  return truth === null ? null : String(Number(truth))
}

/** Exact sum of decimal texts; null for no values. */
export const sqliteSum = {
  name: 'cadmus_sum',
  start: null,
  step: (sum: string | null, text: string | null): string | null => (text === null ? sum : sumOf(sum ?? '0', text)),
} as const

/** Added to the exponent so that it is never negative in a key. */
const middle = 5000

function keyOf(text: string): string {
  const number = readDecimal(text)
  if (!number) return ''
  const { negative, whole, fraction } = number
  const digits = (whole + fraction).replace(/^0+|(?<!0)0+$/g, '')
  if (digits === '') return 'o'
  const point = whole === '' ? -(fraction.length - fraction.replace(/^0+/, '').length) : whole.length
  const key = `${middle + point}${digits}`
  return negative ? `n${complement(key)}~` : `p${key}`
}

function numberOf(key: string): string {
  if (!/^[np]/.test(key)) return '0'
  const negative = key.startsWith('n')
  const plain = negative ? complement(key.slice(1, -1)) : key.slice(1)
  const digits = plain.slice(4)
  const point = Number(plain.slice(0, 4)) - middle
  return `${negative ? '-' : ''}${withPoint(digits, point)}`
}

function withPoint(digits: string, point: number): string {
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return digits.padEnd(point, '0')
  return `${digits.slice(0, point)}.${digits.slice(point)}`
}

/** Replaces each digit by its complement to 9, which reverses the order. */
function complement(digits: string): string {
  return digits.replace(/\d/g, digit => String(9 - Number(digit)))
}

function sumOf(a: string, b: string): string {
  const scale = Math.max(fractionOf(a), fractionOf(b))
  return fromScaled(toScaled(a, scale) + toScaled(b, scale), scale)
}

function fractionOf(text: string): number {
  const point = text.indexOf('.')
  return point < 0 ? 0 : text.length - point - 1
}

function toScaled(text: string, scale: number): bigint {
  return BigInt(text.replace('.', '') + '0'.repeat(scale - fractionOf(text)))
}

function fromScaled(value: bigint, scale: number): string {
  const negative = value < 0n
  const digits = String(negative ? -value : value).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const number = readDecimal(`${negative ? '-' : ''}${whole}.${digits.slice(digits.length - scale)}`)
  return number ? writeDecimal(number) : '0'
}
