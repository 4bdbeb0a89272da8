// Numbers as texts: nothing is rounded, and each text is walked through once, however long it is.

/** An exact number: its digits without zeros that say nothing. Zero has neither and no sign. */
export type Decimal = { negative: boolean; whole: string; fraction: string }

/** The most digits on either side of the point that a text may stand for. */
const maxDigits = 1000

/** A text as an exact number, `1e5` and `.5` included; null where it is none, or one of more than 1,000 digits on a side. */
export function readDecimal(text: string): Decimal | null {
  const parts = numberPattern.exec(text)
  if (!parts) return null
  const [, sign, whole = '', fraction = '', exponentText = '0'] = parts
  const exponent = Number(exponentText)
  const digits = whole + fraction
  const first = firstOther(digits, '0')
  if (first === digits.length) return { negative: false, whole: '', fraction: '' }
  const significant = withoutLastZeros(digits.slice(first))
  // Where the point stands, counted from the first digit that is not zero.
  const point = whole.length - first + exponent
  if (point > maxDigits || significant.length - point > maxDigits) return null
  const negative = sign === '-'
  if (point <= 0) return { negative, whole: '', fraction: '0'.repeat(-point) + significant }
  return { negative, whole: significant.slice(0, point).padEnd(point, '0'), fraction: significant.slice(point) }
}

/** The one way in which an exact number is written: no exponent, a digit before the point. */
export function writeDecimal({ negative, whole, fraction }: Decimal): string {
  return `${negative ? '-' : ''}${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Whether the number has no more digits than the column: none is rounded away. */
export function fitsDecimal({ whole, fraction }: Decimal, precision: number, scale: number): boolean {
  return whole.length <= precision - scale && fraction.length <= scale
}

/** A whole number of at most 64 bits, written with digits alone; null where it is none. */
export function readInteger(text: string, bits: number): bigint | null {
  const parts = /^([+-]?)(\d+)$/.exec(text)
  const digits = parts?.[2]?.slice(firstOther(parts[2], '0'))
  if (digits === undefined || digits.length > 19) return null
  const value = BigInt(`${parts?.[1] === '-' ? '-' : ''}${digits === '' ? '0' : digits}`)
  return BigInt.asIntN(bits, value) === value ? value : null
}

/** A number in double precision; null where the text is none, or beyond what it holds. */
export function readDouble(text: string): number | null {
  if (!numberPattern.test(text)) return null
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}

const numberPattern = /^([+-])?(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

function firstOther(text: string, character: string): number {
  let index = 0
  while (text[index] === character) index += 1
  return index
}

/** A regular expression that looks for the last zeros begins anew at every zero. */
function withoutLastZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}
