import { base64OfBytes, bytesOfHex } from '@cadmus/model/values/bytes'
import { isFault, literalText, type LiteralType, readChoice, readLiteral } from '@cadmus/model/values/literal'
import { readDecimal, shortestOfSingle, writeDecimal } from '@cadmus/model/values/number'
import { bitsOf, bytesOf, type Constant } from './constant.ts'

/** The constant as the text of an attribute value; null if it does not fit the type. */
export function valueText(constant: Constant, type: LiteralType, isChoice = false): string | null {
  const text = toText(constant, type)
  if (text === null) return null
  const read = isChoice ? readChoice(text, type) : readLiteral(text, { ...type, maxLength: null })
  if (isFault(read)) return null
  // Bytes, texts and JSON keep their notation; other values are normalized.
  if (read.kind === 'bytes' || read.kind === 'text' || read.kind === 'json') return text
  return type.format === 'single' && read.kind === 'number'
    ? String(shortestOfSingle(Number(read.value)))
    : literalText(read)
}

function toText({ kind, value }: Constant, { dataType, format }: LiteralType): string | null {
  if (kind === 'bits' || kind === 'bytes') return bitsText(kind, value, dataType, format)
  if (kind === 'boolean') return dataType === 'integer' || dataType === 'double' ? (value ? '1' : '0') : String(value)
  switch (dataType) {
    case 'boolean':
      return booleanTexts[value.toLowerCase()] ?? value
    case 'dateTime':
      if (format === 'date') return value.slice(0, 10)
      return format === 'time' ? value.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') : moment(value, format)
    case 'object':
      return format === 'binary' ? base64OfBytes(bytesOfHex(value.replace(/^\\x/, ''))) : value
    case 'double':
    case 'float':
      return value.replace(/\.(?=$|e)/i, '')
    case 'integer':
      return wholeText(value)
    default:
      return value
  }
}

/** Tools write long integers as `99999999999.`, and integers of NUMERIC as `0.00`. */
function wholeText(value: string): string {
  const number = readDecimal(value)
  return number?.fraction === '' ? writeDecimal(number) : value
}

/** A number has at most 64 bits. Bytes are not a text, because their encoding is unknown. */
function bitsText(
  kind: 'bits' | 'bytes',
  value: string,
  dataType: LiteralType['dataType'],
  format: LiteralType['format'],
): string | null {
  const bits = kind === 'bits' ? value : bitsOf(value)
  if (dataType === 'string') return kind === 'bits' ? value : null
  if (dataType === 'object')
    return format === 'binary' ? base64OfBytes(bytesOfHex(kind === 'bits' ? bytesOf(bits) : value)) : null
  if (dataType === 'dateTime' || bits.length === 0 || bits.length > 64) return null
  const number = String(BigInt(`0b${bits}`))
  return dataType === 'boolean' ? (booleanTexts[number] ?? null) : number
}

const booleanTexts: Readonly<Record<string, string>> = {
  1: 'true',
  0: 'false',
  t: 'true',
  f: 'false',
  true: 'true',
  false: 'false',
}

/** Without an offset an instant is in UTC. A column without a time zone ignores an offset. */
function moment(value: string, format: LiteralType['format']): string {
  const [day = '', time = '00:00:00'] = value.split(/[ T](.*)/)
  const parts = /^(\d{2}:\d{2}(?::\d{2})?)(?:\.(\d*?)0*)? ?(Z|UTC|GMT|[+-]\d{1,2}(?::?\d{2})?)?$/i.exec(time)
  if (!parts) return `${day}T${time}`
  const local = `${day}T${parts[1]}${parts[2] ? `.${parts[2]}` : ''}`
  return format === 'instant' ? `${local}${offset(parts[3] ?? 'Z')}` : local
}

/** With two digits for hours and minutes. */
function offset(text: string): string {
  const [, sign = '', hours = '', minutes = '00'] = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(text) ?? []
  return sign === '' ? 'Z' : `${sign}${hours.padStart(2, '0')}:${minutes}`
}
