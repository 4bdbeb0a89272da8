import { readDecimal, writeDecimal } from '@cadmus/model/values/number'

// SQLite has no exact decimals and folds the letters of ASCII alone. A connection is given these under their names, as deterministic.

type SqliteFunction = (value: string | null) => string | null

/** Functions of one text; null stays null. */
export const sqliteFunctions: Readonly<Record<'cadmus_fold' | 'cadmus_key' | 'cadmus_number', SqliteFunction>> = {
  /** A text as a search compares it. */
  cadmus_fold: text => text?.toLowerCase() ?? null,
  /** A decimal as a text that sorts as the number does. */
  cadmus_key: text => (text === null ? null : keyOf(text)),
  /** The decimal of such a text. */
  cadmus_number: key => (key === null ? null : numberOf(key)),
}

/** The exact sum of whole or decimal numbers as texts; null of none. A step adds to what was summed before. */
export const sqliteSum = {
  name: 'cadmus_sum',
  start: null,
  step: (sum: string | null, text: string | null): string | null => (text === null ? sum : sumOf(sum ?? '0', text)),
} as const

/** Where the point stands, so that no key's exponent is negative. */
const middle = 5000

function keyOf(text: string): string {
  const number = readDecimal(text)
  if (!number) return ''
  const { negative, whole, fraction } = number
  const digits = (whole + fraction).replace(/^0+|(?<!0)0+$/g, '')
  if (digits === '') return 'o'
  const point = whole === '' ? -(fraction.length - fraction.replace(/^0+/, '').length) : whole.length
  const key = `${middle + point}${digits}`
  return negative ? `n${turned(key)}~` : `p${key}`
}

function numberOf(key: string): string {
  if (!/^[np]/.test(key)) return '0'
  const negative = key.startsWith('n')
  const plain = negative ? turned(key.slice(1, -1)) : key.slice(1)
  const digits = plain.slice(4)
  const point = Number(plain.slice(0, 4)) - middle
  return `${negative ? '-' : ''}${placed(digits, point)}`
}

function placed(digits: string, point: number): string {
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return digits.padEnd(point, '0')
  return `${digits.slice(0, point)}.${digits.slice(point)}`
}

/** Each digit by the one that sorts the other way round. */
function turned(digits: string): string {
  return digits.replace(/\d/g, digit => String(9 - Number(digit)))
}

function sumOf(a: string, b: string): string {
  const scale = Math.max(fractionOf(a), fractionOf(b))
  return unscaled(scaled(a, scale) + scaled(b, scale), scale)
}

function fractionOf(text: string): number {
  const point = text.indexOf('.')
  return point < 0 ? 0 : text.length - point - 1
}

function scaled(text: string, scale: number): bigint {
  return BigInt(text.replace('.', '') + '0'.repeat(scale - fractionOf(text)))
}

function unscaled(value: bigint, scale: number): string {
  const negative = value < 0n
  const digits = String(negative ? -value : value).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const number = readDecimal(`${negative ? '-' : ''}${whole}.${digits.slice(digits.length - scale)}`)
  return number ? writeDecimal(number) : '0'
}
