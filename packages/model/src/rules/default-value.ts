import { messages } from '../messages.ts'
import type { Format, TypeAttribute } from '../type-attribute.ts'
import { readBytes } from '../values/bytes.ts'
import { isText, jsonFault } from '../values/json.ts'
import { readDate, readMoment, readTime } from '../values/moment.ts'
import { fitsDecimal, readDecimal, readDouble, readInteger } from '../values/number.ts'

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
  decimal,
  date: text => (readDate(text) === null ? messages.value.date : undefined),
  time: text => (readTime(text) === null ? messages.value.time : undefined),
  guid: text => (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) ? undefined : messages.value.guid),
  binary: text => (readBytes(text) === null ? messages.value.binary : undefined),
  json,
  text: string,
}

const byDataType = {
  boolean: text => (text === 'true' || text === 'false' ? undefined : messages.value.boolean),
  dateTime: text => (readMoment(text) === null ? messages.value.dateTime : undefined),
  double: number,
  float: number,
  integer: text => integer(text, 64),
  object: json,
  string,
} satisfies Record<TypeAttribute['dataType'], Check>

function integer(text: string, bits: number): string | undefined {
  if (!/^[+-]?\d+$/.test(text)) return messages.value.integer
  return readInteger(text, bits) === null ? messages.value.integerRange(bits) : undefined
}

function number(text: string, type: ValueType): string | undefined {
  if (type.precision !== null) return decimal(text, type)
  return readDouble(text) === null ? messages.value.number : undefined
}

/** Without a precision it is whatever the databases' widest numbers hold. */
function decimal(text: string, { precision, scale }: ValueType): string | undefined {
  const value = precision === null || !/e/i.test(text) ? readDecimal(text) : null
  if (value === null) return messages.value.number
  const places = scale ?? 0
  const fits = precision === null || fitsDecimal(value, Math.max(precision, places), places)
  return fits ? undefined : messages.value.decimal(precision, places)
}

function string(text: string, { maxLength }: ValueType): string | undefined {
  if (!isText(text)) return messages.value.text
  return maxLength !== null && Array.from(text).length > maxLength ? messages.value.length(maxLength) : undefined
}

function json(text: string): string | undefined {
  const fault = jsonFault(text)
  if (fault === undefined) return undefined
  return fault === 'syntax' ? messages.value.json : messages.value.jsonValue
}
