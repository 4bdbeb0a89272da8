import { messages } from '../messages.ts'
import type { Format, TypeAttribute } from '../type-attribute.ts'

export type ValueType = Pick<TypeAttribute, 'dataType' | 'format' | 'choices' | 'maxLength' | 'precision' | 'scale'>

/** A default value is a text that its attribute could hold. Null means none. */
export function defaultValue(text: string | null, type: ValueType): string | undefined {
  if (text === null) return undefined
  if (type.choices.length > 0) return type.choices.includes(text) ? undefined : messages.value.choice
  const check = (type.format && byFormat[type.format]) ?? byDataType[type.dataType]
  return check(text, type)
}

type Check = (text: string, type: ValueType) => string | undefined

const byFormat: Partial<Record<Format, Check>> = {
  int16: text => integer(text, 16),
  int32: text => integer(text, 32),
  int64: text => integer(text, 64),
  decimal: number,
  date: text => (isDate(text) ? undefined : messages.value.date),
  time: text => (isTime(text) ? undefined : messages.value.time),
  guid: text => (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) ? undefined : messages.value.guid),
  binary: text => (isBase64(text) ? undefined : messages.value.binary),
  json,
}

const byDataType = {
  boolean: text => (text === 'true' || text === 'false' ? undefined : messages.value.boolean),
  dateTime: text => (isDateTime(text) ? undefined : messages.value.dateTime),
  double: number,
  float: number,
  integer: text => integer(text, 64),
  object: json,
  string: (text, { maxLength }) =>
    maxLength !== null && Array.from(text).length > maxLength ? messages.value.length(maxLength) : undefined,
} satisfies Record<TypeAttribute['dataType'], Check>

function integer(text: string, bits: number): string | undefined {
  if (!/^[+-]?\d{1,30}$/.test(text)) return messages.value.integer
  const value = BigInt(text.replace('+', ''))
  return BigInt.asIntN(bits, value) === value ? undefined : messages.value.integerRange(bits)
}

function number(text: string, { precision, scale }: ValueType): string | undefined {
  if (precision === null) return isNumber(text) ? undefined : messages.value.number
  const parts = /^[+-]?(\d*)(?:\.(\d*))?$/.exec(text)
  const whole = parts?.[1] ?? ''
  const fraction = parts?.[2] ?? ''
  if (!parts || whole + fraction === '') return messages.value.number
  const places = scale ?? 0
  const fits = whole.replace(/^0+/, '').length <= precision - places && fraction.replace(/0+$/, '').length <= places
  return fits ? undefined : messages.value.decimal(precision, places)
}

function isNumber(text: string): boolean {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
}

function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!parts) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function isTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?$/.test(text)
}

/** ISO 8601: a date, then T or a blank and a time, with or without an offset; or the date alone. */
function isDateTime(text: string): boolean {
  if (isDate(text)) return true
  if (!/^.{10}[T ]/.test(text) || !isDate(text.slice(0, 10))) return false
  return isTime(text.slice(11).replace(/(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/, ''))
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0
}

function json(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch {
    return messages.value.json
  }
}
