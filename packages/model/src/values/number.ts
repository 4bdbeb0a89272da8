// Numbers as text: nothing is rounded, and each text is read in one pass.

/** An exact number without insignificant zeros. Zero has no digits and no sign. */
export type Decimal = { negative: boolean; whole: string; fraction: string }

/** Limit of digits on either side of the decimal point. */
const maxDigits = 1000

/** Reads an exact number, including `1e5` and `.5`; null for other text, or for more than 1,000 digits on a side. */
export function readDecimal(text: string): Decimal | null {
  const parts = numberPattern.exec(text)
  if (!parts) return null
  const [, sign, whole = '', fraction = '', exponentText = '0'] = parts
  const exponent = Number(exponentText)
  const digits = whole + fraction
  const first = firstOther(digits, '0')
  if (first === digits.length) return { negative: false, whole: '', fraction: '' }
  const significant = withoutLastZeros(digits.slice(first))
  // Position of the decimal point, counted from the first digit other than zero.
  const point = whole.length - first + exponent
  if (point > maxDigits || significant.length - point > maxDigits) return null
  const negative = sign === '-'
  if (point <= 0) return { negative, whole: '', fraction: '0'.repeat(-point) + significant }
  return { negative, whole: significant.slice(0, point).padEnd(point, '0'), fraction: significant.slice(point) }
}

/** Canonical text of an exact number: no exponent, a digit before the point. */
export function writeDecimal({ negative, whole, fraction }: Decimal): string {
  return `${negative ? '-' : ''}${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Whether a column of that precision and scale stores the number without rounding. */
export function fitsDecimal({ whole, fraction }: Decimal, precision: number, scale: number): boolean {
  return whole.length <= precision - scale && fraction.length <= scale
}

/** An integer of at most 64 bits, digits only; null for other text. */
export function readInteger(text: string, bits: number): bigint | null {
  const parts = /^([+-]?)(\d+)$/.exec(text)
  const digits = parts?.[2]?.slice(firstOther(parts[2], '0'))
  if (digits === undefined || digits.length > 19) return null
  const value = BigInt(`${parts?.[1] === '-' ? '-' : ''}${digits === '' ? '0' : digits}`)
  return BigInt.asIntN(bits, value) === value ? value : null
}

/** A number in double precision; null for other text or an overflow. */
export function readDouble(text: string): number | null {
  if (!numberPattern.test(text)) return null
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}

/** The number in single precision that is nearest to a double; null for an overflow. */
export function readSingle(double: number): number | null {
  const value = Math.fround(double)
  return Number.isFinite(value) ? value : null
}

/** The number of fewest digits whose nearest one in single precision is this. */
export function shortestOfSingle(single: number): number {
  const value = Math.fround(single)
  if (!Number.isFinite(value)) return value
  for (let digits = 1; digits < 9; digits += 1) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === value) return shorter
  }
  return Number(value.toPrecision(9))
}

const numberPattern = /^([+-])?(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

function firstOther(text: string, character: string): number {
  let index = 0
  while (text[index] === character) index += 1
  return index
}

/** A loop, because a regular expression would start again at every zero. */
function withoutLastZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}
