import { type DataType, type DefaultKind, type Format, longestFixed, type Purpose } from '../data-types.ts'
import { limits } from '../limits.ts'
import { valueTexts } from '../messages/values.ts'
import { readBytes } from './bytes.ts'
import { isText, jsonFault } from './json.ts'
import { fitsDecimal, readDecimal, readDouble, readInteger, readSingle, writeDecimal } from './number.ts'

// Dates and times as text. At most six fractional digits: the databases have no more in common.

const datePattern = /^\d{4}-\d{2}-\d{2}$/
const timePattern = /^((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6})0*)?)?$/
const offsetPattern = /^(.{5,})(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)$/
const day = 24 * 60

/** A date of the years 0001 to 9999, such as `2026-01-31`; null for other text. */
export function readDate(text: string): string | null {
  if (!datePattern.test(text) || text.startsWith('0000')) return null
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null
}

/** A time of day as `13:45:00` or `13:45:00.123456`; null for other text. */
export function readTime(text: string): string | null {
  const parts = timePattern.exec(text)
  if (!parts) return null
  const [, minutes = '', seconds = '00', fraction] = parts
  return `${minutes}:${seconds}${fraction === undefined ? '' : `.${fraction}`}`
}

/**
 * A date, or a date and time separated by T or a space, with an optional offset, as `2026-01-31T13:45:00.123456`. Converts to UTC and keeps
 * the fractional digits. Null for other text.
 */
export function readMoment(text: string): string | null {
  const date = readDate(text.slice(0, 10))
  if (date === null) return null
  if (text.length === 10) return `${date}T00:00:00`
  if (text[10] !== 'T' && text[10] !== ' ') return null
  const [, local = text.slice(11), offset = 'Z'] = offsetPattern.exec(text.slice(11)) ?? []
  const time = readTime(local)
  if (time === null) return null
  return offset === 'Z' ? `${date}T${time}` : shiftToUtc(date, time, offset)
}

/** A literal without the zeros at the end of a fraction of a second: equal times have equal texts. */
export function withoutZeros(literal: Literal): Literal {
  const { kind, value } = literal
  if (kind !== 'time' && kind !== 'timestamp' && kind !== 'instant') return literal
  return value.includes('.') ? { kind, value: value.replace(/\.?0+$/, '') } : literal
}

/** Whether a time that follows a date has an offset. */
function hasOffset(moment: string): boolean {
  return offsetPattern.test(moment.slice(11))
}

function shiftToUtc(date: string, time: string, offset: string): string | null {
  const ahead = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2))
  const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5)) - (offset.startsWith('-') ? -ahead : ahead)
  const days = Math.floor(minutes / day)
  const start = new Date(`${date}T00:00:00Z`)
  start.setUTCDate(start.getUTCDate() + days)
  const year = start.getUTCFullYear()
  if (year < 1 || year > 9999) return null
  const rest = minutes - days * day
  return `${start.toISOString().slice(0, 10)}T${two(Math.floor(rest / 60))}:${two(rest % 60)}${time.slice(5)}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

/**
 * A value in canonical form. Numbers are decimal text (no rounding), dates and times ISO 8601 without a time zone (instants in UTC), bytes
 * hexadecimal digits.
 */
export type Literal =
  | { readonly kind: 'text' | 'json' | 'number' | 'bytes'; readonly value: string }
  | { readonly kind: 'date' | 'time' | 'timestamp' | 'instant'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }

/** The text from which the literal is read: an instant ends in Z. */
export function literalText({ kind, value }: Literal): string {
  return kind === 'instant' ? `${value}Z` : String(value)
}

export type LiteralType = {
  dataType: DataType
  format: Format | null
  maxLength: number | null
  precision: number | null
  scale: number | null
}

export type DefaultType = LiteralType & {
  choices: string[]
  enumeration: { uid: string; name: string } | null
  purpose: Purpose
  unique: boolean
  indexed: boolean
  defaultValue: string | null
  defaultKind: DefaultKind
}

/** Reason why a text is not a value of its type; shown to the user. */
type Fault = { readonly fault: string }

export function isFault(read: Literal | Fault): read is Fault {
  return 'fault' in read
}

/**
 * Reads a value of an attribute; the only parser for rules, validation, importers and schemas. Strict: no surrounding spaces, no capital
 * letters in keywords.
 */
export function readLiteral(text: string, type: LiteralType): Literal | Fault {
  return readers[type.dataType](text, type)
}

/** Reads a choice as a value of its attribute. Ignores the max length, because longer choices are checked too; a fixed one counts. */
export function readChoice(text: string, type: LiteralType): Literal | Fault {
  const read = readLiteral(text, { ...type, maxLength: fixedLength(type) })
  // Text is compared as it is, including GUIDs.
  return isFault(read) || type.dataType !== 'string' ? read : { kind: 'text', value: text }
}

/** Reads a default value: one of the choices, if there are any, and not longer than the attribute's column. */
export function readDefault(text: string, type: DefaultType): Literal | Fault {
  const { choices, maxLength, purpose, unique, indexed } = type
  if (choices.length > 0) {
    if (!choices.includes(text)) return { fault: valueTexts.choice }
    const read = readLiteral(text, type)
    return isFault(read) ? read : readChoice(text, type)
  }
  const isKeyed = purpose === 'identifiedBy' || unique || indexed
  return readLiteral(text, { ...type, maxLength: maxLength ?? (isKeyed ? limits.keyedText : null) })
}

/** Precision and scale of an exact number; precision null is the widest available. Null for a double. */
export function decimalShape({
  format,
  precision,
  scale,
}: LiteralType): { precision: number | null; scale: number } | null {
  // A scale greater than the precision increases it.
  if (precision !== null) return { precision: Math.max(precision, scale ?? 0), scale: scale ?? 0 }
  if (format !== 'decimal') return null
  return scale === null ? { precision: null, scale: 0 } : { precision: Math.max(limits.precision.max, scale), scale }
}

/** Characters of a text of fixed length; null for other texts, and for lengths that databases have no type for. */
export function fixedLength({ format, maxLength }: Pick<LiteralType, 'format' | 'maxLength'>): number | null {
  return format === 'fixed' && maxLength !== null && maxLength <= longestFixed ? maxLength : null
}

/** Digits of an integer; null for one of a format, which has bits. */
export function integerDigits({ format, precision }: Pick<LiteralType, 'format' | 'precision'>): number | null {
  return format === null ? precision : null
}

const readers = {
  boolean,
  dateTime: (text, { format }) => {
    if (format === 'date') return literalOrFault('date', readDate(text), valueTexts.date)
    if (format === 'time') return literalOrFault('time', readTime(text), valueTexts.time)
    if (format === 'instant')
      return literalOrFault('instant', hasOffset(text) ? readMoment(text) : null, valueTexts.instant)
    if (format === 'local')
      return literalOrFault('timestamp', hasOffset(text) ? null : readMoment(text), valueTexts.local)
    return literalOrFault('timestamp', readMoment(text), valueTexts.dateTime)
  },
  double: number,
  float: number,
  integer,
  object: (text, { format }) => {
    if (format === 'binary') return literalOrFault('bytes', readBytes(text), valueTexts.binary)
    return format === 'text' ? plainText(text, null) : json(text)
  },
  string,
} satisfies Record<DataType, (text: string, type: LiteralType) => Literal | Fault>

function literalOrFault(
  kind: Exclude<Literal['kind'], 'boolean'>,
  value: string | null,
  fault: string,
): Literal | Fault {
  return value === null ? { fault } : { kind, value }
}

function boolean(text: string): Literal | Fault {
  if (text !== 'true' && text !== 'false') return { fault: valueTexts.boolean }
  return { kind: 'boolean', value: text === 'true' }
}

function integer(text: string, { format, precision }: LiteralType): Literal | Fault {
  if (!/^[+-]?\d+$/.test(text)) return { fault: valueTexts.integer }
  const digits = integerDigits({ format, precision })
  if (digits !== null) {
    const value = readDecimal(text)
    const fits = value !== null && fitsDecimal(value, digits, 0)
    return literalOrFault('number', fits ? writeDecimal(value) : null, valueTexts.integerDigits(digits))
  }
  const bits = format === 'int16' ? 16 : format === 'int32' ? 32 : 64
  const value = readInteger(text, bits)
  return literalOrFault('number', value === null ? null : String(value), valueTexts.integerRange(bits))
}

/** A double becomes its shortest text, without digits beyond its precision; one of single precision is the nearest of these. */
function number(text: string, type: LiteralType): Literal | Fault {
  const shape = decimalShape(type)
  if (!shape) {
    const double = readDouble(text)
    const value = double === null || type.format !== 'single' ? double : readSingle(double)
    const fault = double === null ? valueTexts.number : valueTexts.single
    return literalOrFault('number', value === null ? null : String(value), fault)
  }
  const { precision, scale } = shape
  const value = precision === null || !/e/i.test(text) ? readDecimal(text) : null
  if (value === null) return { fault: valueTexts.number }
  if (precision !== null && !fitsDecimal(value, precision, scale)) {
    return { fault: valueTexts.decimal(precision, scale) }
  }
  return { kind: 'number', value: writeDecimal(value) }
}

/** Strings are stored unchanged in every format; only GUIDs are lower-cased. */
function string(text: string, { format, maxLength }: LiteralType): Literal | Fault {
  const fault = formatFault(text, format) ?? fixedFault(text, fixedLength({ format, maxLength }))
  if (fault !== undefined) return { fault }
  return plainText(format === 'guid' ? text.toLowerCase() : text, maxLength)
}

function formatFault(text: string, format: Format | null): string | undefined {
  if (format === 'guid') return guidPattern.test(text) ? undefined : valueTexts.guid
  if (format === 'date') return readDate(text) === null ? valueTexts.date : undefined
  if (format === 'time') return readTime(text) === null ? valueTexts.time : undefined
  if (format === 'binary') return readBytes(text) === null ? valueTexts.binary : undefined
  return format === 'json' ? jsonMessage(text) : undefined
}

/** Databases fill shorter values with spaces, which some of them then ignore. */
function fixedFault(text: string, length: number | null): string | undefined {
  // A text has at most two code units for each character, so few texts need counting.
  const isFull = length === null || (text.length <= length * 2 && Array.from(text).length === length)
  return length === null || (isFull && !text.endsWith(' ')) ? undefined : valueTexts.fixed(length)
}

const guidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

function plainText(text: string, maxLength: number | null): Literal | Fault {
  if (!isText(text)) return { fault: valueTexts.text }
  // A text never has more code points than code units, so few texts need counting.
  const isTooLong = maxLength !== null && text.length > maxLength && Array.from(text).length > maxLength
  return isTooLong ? { fault: valueTexts.length(maxLength) } : { kind: 'text', value: text }
}

function json(text: string): Literal | Fault {
  const fault = jsonMessage(text)
  return fault === undefined ? { kind: 'json', value: text } : { fault }
}

function jsonMessage(text: string): string | undefined {
  const fault = jsonFault(text)
  if (fault === undefined) return undefined
  return fault === 'syntax' ? valueTexts.json : valueTexts.jsonValue
}
