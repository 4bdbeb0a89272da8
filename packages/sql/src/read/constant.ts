import { bytesOfHex } from '@cadmus/model/values/bytes'
import type { Expression } from './expression.ts'

/** A literal value of a script. Numbers are texts, bytes hexadecimal digits, bits binary digits. */
export type Constant =
  | { readonly kind: 'text' | 'number' | 'bytes' | 'bits' | 'date' | 'time' | 'timestamp'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }

/** The value of a literal or of a text composed of literals; null for any other expression. */
export function constantOf(expression: Expression): Constant | null {
  switch (expression.kind) {
    case 'text':
    case 'number':
    case 'bytes':
    case 'bits':
    case 'date':
    case 'time':
    case 'timestamp':
    case 'boolean':
      return expression
    case 'negative':
      return negate(constantOf(expression.part))
    case 'join':
      return join(expression.parts)
    case 'call':
      return functions[expression.name]?.(expression.parts) ?? null
    default:
      return null
  }
}

/** `ARRAY['a', 'b']` as JSON; null for anything else. PostgreSQL also writes an empty array as an empty object of JSON. */
export function arrayText(expression: Expression): string | null {
  if (expression.kind !== 'list') return null
  const values = expression.parts.map(constantOf)
  if (!values.every(value => value?.kind === 'text' || value?.kind === 'number')) return null
  return JSON.stringify(values.map(value => (value?.kind === 'number' ? Number(value.value) : value?.value)))
}

/** The constant as stored by a bit column, or by a text column of MySQL. */
export function toStoredForm(
  constant: Constant,
  { isBitColumn, isMysqlText }: { isBitColumn: boolean; isMysqlText: boolean },
): Constant {
  if (constant.kind === 'bytes' && isBitColumn) return { kind: 'bits', value: bitsOf(constant.value) }
  if (!isMysqlText || isBitColumn) return constant
  return (
    textOfBytes(constant.kind === 'bits' ? { kind: 'bytes', value: bytesOf(constant.value) } : constant) ?? constant
  )
}

/** Converts hexadecimal digits to bits. */
export function bitsOf(digits: string): string {
  return digits.replace(/[^]/g, digit => Number.parseInt(digit, 16).toString(2).padStart(4, '0'))
}

/** Converts bits to hexadecimal digits, padding the first byte with zeros. */
export function bytesOf(bits: string): string {
  const whole = bits.padStart(Math.ceil(bits.length / 8) * 8, '0')
  return whole.replace(/.{4}/g, four => Number.parseInt(four, 2).toString(16))
}

type Function = (parts: readonly Expression[]) => Constant | null

const functions: Readonly<Record<string, Function | undefined>> = {
  CONCAT: join,
  CHR: character,
  CHAR: character,
  NCHAR: character,
  // CONVERT is evaluated only from bytes to text.
  CONVERT: ([part]) => textOfBytes(part && constantOf(part)),
  REPLACE: replace,
  TO_BINARY_DOUBLE: ([part]) => asNumber(part && constantOf(part)),
  HEXTORAW: ([part]) => asBytes(part && constantOf(part)),
  DECODE: ([part, form]) => (form && textOf(form)?.toLowerCase() === 'hex' ? asBytes(part && constantOf(part)) : null),
  UNHEX: ([part]) => asBytes(part && constantOf(part)),
  DATE: ([part]) => (part ? constantOf(part) : null),
  TO_DATE: formatted,
  TO_TIMESTAMP: formatted,
  TO_TIMESTAMP_TZ: formatted,
  FROM_TZ: zoned,
  TODATETIMEOFFSET: zoned,
  EMPTY_BLOB: () => ({ kind: 'bytes', value: '' }),
}

const isoFormat = /^YYYY-MM-DD(?:[ T"]+HH24:MI(?::SS(?:[.X]?FF?\d?)?)? ?(?:TZH:TZM|TZR)?)?$/i

/** A date or moment in the notation of ISO 8601. */
function formatted([part, format]: readonly Expression[]): Constant | null {
  const [text, pattern] = [part && textOf(part), format && textOf(format)]
  return text !== undefined && pattern !== undefined && isoFormat.test(pattern)
    ? { kind: 'timestamp', value: text }
    : null
}

/** A moment by its date and time in a time zone. */
function zoned([part, zone]: readonly Expression[]): Constant | null {
  const [moment, offset] = [part && constantOf(part), zone && textOf(zone)]
  const isOffset = offset !== undefined && /^(?:[+-]\d{1,2}:\d{2}|Z|UTC|GMT)$/i.test(offset)
  return isOffset && (moment?.kind === 'text' || moment?.kind === 'timestamp')
    ? { kind: 'timestamp', value: `${moment.value} ${offset}` }
    : null
}

function textOf(expression: Expression): string | undefined {
  const constant = constantOf(expression)
  return constant?.kind === 'text' ? constant.value : undefined
}

function negate(constant: Constant | null): Constant | null {
  if (constant?.kind !== 'number') return null
  return { kind: 'number', value: constant.value.startsWith('-') ? constant.value.slice(1) : `-${constant.value}` }
}

function join(parts: readonly Expression[]): Constant | null {
  const texts: string[] = []
  for (const part of parts) {
    const text = textOf(part)
    if (text === undefined) return null
    texts.push(text)
  }
  return { kind: 'text', value: texts.join('') }
}

function character([part]: readonly Expression[]): Constant | null {
  const code = part && constantOf(part)
  if (code?.kind !== 'number' || !/^\d{1,7}$/.test(code.value) || Number(code.value) > 0x10ffff) return null
  return { kind: 'text', value: String.fromCodePoint(Number(code.value)) }
}

/** Rejects replacements that lengthen the text: nested ones would grow without bound. */
function replace(parts: readonly Expression[]): Constant | null {
  const [text, from, to] = parts.map(textOf)
  if (text === undefined || !from || to === undefined || to.length > from.length) return null
  return { kind: 'text', value: text.replaceAll(from, () => to) }
}

function asNumber(constant: Constant | null | undefined): Constant | null {
  return constant?.kind === 'text' || constant?.kind === 'number' ? { kind: 'number', value: constant.value } : null
}

function asBytes(constant: Constant | null | undefined): Constant | null {
  return constant?.kind === 'text' ? { kind: 'bytes', value: constant.value } : null
}

function textOfBytes(constant: Constant | null | undefined): Constant | null {
  if (constant?.kind !== 'bytes') return constant ?? null
  return { kind: 'text', value: new TextDecoder().decode(bytesOfHex(constant.value)) }
}
