import type { ColumnType, Literal } from './tree.ts'

/** A text as a value of a column's type; null where it is none. */
export function literalOf(text: string, type: ColumnType): Literal | null {
  switch (type.kind) {
    case 'text':
      return storable(text) ? { kind: 'text', value: text } : null
    case 'varchar':
      return storable(text) && countCharacters(text) <= type.length ? { kind: 'text', value: text } : null
    case 'guid':
      return guidOf(text)
    case 'integer':
      return integerOf(text, type.bits)
    case 'double':
      return doubleOf(text)
    case 'decimal':
      return decimalOf(text, type)
    case 'boolean':
      return booleanOf(text)
    case 'date':
    case 'time':
    case 'timestamp':
      return momentOf(text.trim(), type.kind)
    case 'json':
      return storable(text) && isJson(text) ? { kind: 'json', value: text } : null
    case 'binary':
      return null
  }
}

const numberPattern = /^[+-]?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?$/
const decimalPattern = /^([+-]?)0*(\d{0,1000}?)(?:\.(\d{1,1000}?)0*)?$/
const guidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const datePattern = /^\d{4}-\d{2}-\d{2}$/
const timePattern = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/
const timestampPattern = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/

/** No database stores the character NUL in text, and half of a surrogate pair is no character. */
function storable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

function countCharacters(text: string): number {
  let count = 0
  for (const _character of text) count += 1
  return count
}

function guidOf(text: string): Literal | null {
  const guid = text.trim().replace(/^\{(.*)\}$/, '$1')
  return guidPattern.test(guid) ? { kind: 'text', value: guid.toLowerCase() } : null
}

function integerOf(text: string, bits: 16 | 32 | 64): Literal | null {
  if (!/^[+-]?\d{1,19}$/.test(text.trim())) return null
  const value = BigInt(text.trim().replace(/^\+/, ''))
  return BigInt.asIntN(bits, value) === value ? { kind: 'number', value: value.toString() } : null
}

/** The shortest text of the double itself: digits that it cannot hold are none of its value. */
function doubleOf(text: string): Literal | null {
  const value = Number(text)
  return numberPattern.test(text.trim()) && Number.isFinite(value) ? { kind: 'number', value: String(value) } : null
}

/** Without a precision the narrowest of the databases' widest numbers counts: 28 digits before the point. */
function decimalOf(text: string, { precision, scale }: { precision: number | null; scale: number }): Literal | null {
  const match = decimalPattern.exec(text.trim())
  if (!match || !/\d/.test(text)) return null
  const whole = match[2] ?? ''
  const fraction = match[3] ?? ''
  const fits = precision === null ? whole.length <= 28 : whole.length <= precision - scale && fraction.length <= scale
  return fits ? { kind: 'number', value: text.trim().replace(/^\+/, '') } : null
}

function booleanOf(text: string): Literal | null {
  const word = text.trim().toLowerCase()
  if (word === 'true' || word === '1') return { kind: 'boolean', value: true }
  return word === 'false' || word === '0' ? { kind: 'boolean', value: false } : null
}

function momentOf(text: string, kind: 'date' | 'time' | 'timestamp'): Literal | null {
  if (kind === 'time') return timePattern.test(text) ? { kind, value: withSeconds(text) } : null
  if (kind === 'date') return datePattern.test(text) && isDay(text) ? { kind, value: text } : null
  const match = timestampPattern.exec(text)
  const [, day, time = '00:00:00', zone] = match ?? []
  if (!day || !isDay(day) || !timePattern.test(time.slice(0, 15))) return null
  if (!zone || zone === 'Z') return { kind, value: `${day}T${withSeconds(time.slice(0, 15))}` }
  const moment = new Date(`${day}T${withSeconds(time)}${zone}`)
  return Number.isNaN(moment.getTime()) ? null : { kind, value: moment.toISOString().slice(0, -1) }
}

function withSeconds(time: string): string {
  return time.length === 5 ? `${time}:00` : time
}

/** Years before 1753 are no dates for some databases' literals; 0001 is the first year of all. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) && !text.startsWith('0000')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
