import type { ApiFieldType } from '@cadmus/model/api/api'
import type { WireValue } from '@cadmus/model/api/operation'
import { valueTexts } from '@cadmus/model/messages/values'
import { base64OfBytes, bytesOfHex } from '@cadmus/model/values/bytes'
import { isFault, type Literal, type LiteralType, readLiteral, withoutZeros } from '@cadmus/model/values/literal'
import { readDecimal, shortestOfSingle, writeDecimal } from '@cadmus/model/values/number'
import { faults } from './faults.ts'
import type { Field } from './fields.ts'
import { PlanFault } from './plan.ts'

/** Checks a value for a field and its column; null is a missing value. Throws a PlanFault that names the field. */
export function readValue(field: Field, value: WireValue): Literal | null {
  if (value === null) return null
  const literal = readAs(field, value, typeOf(field))
  if (field.choices.length > 0 && !field.choices.some(choice => withoutZeros(choice).value === literal.value)) {
    throw fieldFault(field, valueTexts.choice)
  }
  return literal
}

/** Checks a value that records are compared with, which need not fit the field. */
export function readCompared(field: Field, value: WireValue): Literal {
  if (value === null) throw fieldFault(field, faults.nullComparison)
  // Fast path for most keys, equivalent to reading the text.
  if (field.type.kind === 'integer' && typeof value === 'number' && Number.isSafeInteger(value)) {
    return { kind: 'number', value: String(value) }
  }
  const { type } = field
  return readAs(field, value, type.kind === 'double' && type.isSingle ? singleType : comparedTypes[type.kind])
}

export function fieldFault(field: Field, fault: string): PlanFault {
  return new PlanFault('invalid', faults.field(field.name, fault))
}

/** Converts a value of any database to its form on the wire. An instant is in UTC, without an offset. */
export function wireOf(type: ApiFieldType, raw: unknown): WireValue {
  if (raw === null || raw === undefined) return null
  switch (type.kind) {
    case 'integer':
      return typeof raw === 'number' ? raw : wireInteger(String(raw))
    case 'decimal':
      return canonicalDecimal(String(raw))
    case 'double':
      return type.isSingle ? shortestOfSingle(Number(raw)) : Number(raw)
    case 'boolean':
      return (
        raw === true || raw === 1 || raw === 1n || raw === '1' || raw === 't' || String(raw).toLowerCase() === 'true'
      )
    case 'date':
      return String(raw).slice(0, 10)
    case 'time':
    case 'timestamp':
    case 'local':
      return trimFraction(String(raw).replace(' ', 'T'))
    case 'instant':
      return `${trimFraction(String(raw).replace(' ', 'T'))}Z`
    case 'json':
      return typeof raw === 'string' ? JSON.parse(raw) : String(raw)
    case 'binary':
      return base64Of(raw)
    case 'guid':
      return String(raw).toLowerCase()
    case 'text':
      return String(raw)
  }
}

/** Like `wireOf`, for a value read from the wire. */
export function wireOfLiteral(type: ApiFieldType, literal: Literal | null): WireValue {
  return literal === null ? null : wireOf(type, literal.value)
}

/** Integers beyond the safe range are texts. */
function wireInteger(text: string): number | string {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : text
}

const isCanonical = /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/

function canonicalDecimal(text: string): string {
  if (isCanonical.test(text) && text !== '-0') return text
  const number = readDecimal(text)
  return number ? writeDecimal(number) : text
}

/** Removes trailing zeros of fractional seconds. */
function trimFraction(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

function base64Of(raw: unknown): string {
  return base64OfBytes(raw instanceof Uint8Array ? raw : bytesOfHex(String(raw)))
}

function readAs(field: Field, value: WireValue, type: LiteralType): Literal {
  const text = textOf(field, value)
  const literal = readLiteral(text, type)
  if (isFault(literal)) throw fieldFault(field, literal.fault)
  if (field.isCustom && !text.startsWith('{')) throw fieldFault(field, faults.object)
  return withoutZeros(literal)
}

function textOf(field: Field, value: WireValue): string {
  const { kind } = field.type
  if (kind === 'json') return JSON.stringify(value)
  if (typeof value === 'string') return isUnlimited(field.type) ? withoutExponent(value) : value
  if (kind === 'boolean' && typeof value === 'boolean') return String(value)
  const isNumber = kind === 'integer' || kind === 'decimal' || kind === 'double'
  if (isNumber && typeof value === 'number') return numberText(field, value)
  throw fieldFault(field, kindFaults[field.type.kind])
}

/** A decimal of any size; databases that limit it still accept an exponent in the input. */
function isUnlimited(type: ApiFieldType): boolean {
  return type.kind === 'decimal' && type.precision === null
}

function withoutExponent(text: string): string {
  const number = readDecimal(text)
  return number ? writeDecimal(number) : text
}

/** Rejects integers beyond the safe range, as digits may be lost. */
function numberText(field: Field, value: number): string {
  const { kind } = field.type
  if (kind === 'double') return String(value)
  if (kind === 'integer' && !Number.isSafeInteger(value)) throw fieldFault(field, valueTexts.integer)
  const number = readDecimal(String(value))
  if (!number) throw fieldFault(field, valueTexts.number)
  return writeDecimal(number)
}

const kindFaults = {
  ...valueTexts,
  decimal: valueTexts.number,
  double: valueTexts.number,
  timestamp: valueTexts.dateTime,
  text: faults.textNeeded,
  json: faults.textNeeded,
}

const plain = { format: null, maxLength: null, precision: null, scale: null } as const

const fieldTypes = new WeakMap<Field, LiteralType>()

/** The type that a field accepts, limited by its column in this database. */
function typeOf(field: Field): LiteralType {
  const type = fieldTypes.get(field) ?? computeType(field)
  fieldTypes.set(field, type)
  return type
}

function computeType(field: Field): LiteralType {
  const { type, column, maxLength } = field
  const room = 'length' in column.type ? (column.type.length ?? null) : null
  switch (type.kind) {
    case 'text':
      return {
        ...plain,
        dataType: 'string',
        format: type.isFixed ? 'fixed' : null,
        maxLength: maxLength === null || room === null ? (maxLength ?? room) : Math.min(maxLength, room),
      }
    case 'double':
      return type.isSingle ? singleType : comparedTypes.double
    case 'integer':
      if (type.digits !== undefined) return { ...plain, dataType: 'integer', precision: type.digits }
      return { ...plain, dataType: 'integer', format: `int${type.bits}` }
    case 'decimal': {
      const { precision, scale } = column.type.kind === 'decimal' && column.type.precision !== null ? column.type : type
      if (type.isWhole) return { ...plain, dataType: 'integer', precision }
      return precision === null
        ? comparedTypes.decimal
        : { ...plain, dataType: 'double', format: 'decimal', precision, scale }
    }
    default:
      return comparedTypes[type.kind]
  }
}

const singleType: LiteralType = { ...plain, dataType: 'float', format: 'single' }

const comparedTypes: Readonly<Record<ApiFieldType['kind'], LiteralType>> = {
  text: { ...plain, dataType: 'string' },
  guid: { ...plain, dataType: 'string', format: 'guid' },
  integer: { ...plain, dataType: 'integer' },
  decimal: { ...plain, dataType: 'double', format: 'decimal' },
  double: { ...plain, dataType: 'double' },
  boolean: { ...plain, dataType: 'boolean' },
  date: { ...plain, dataType: 'dateTime', format: 'date' },
  time: { ...plain, dataType: 'dateTime', format: 'time' },
  timestamp: { ...plain, dataType: 'dateTime' },
  instant: { ...plain, dataType: 'dateTime', format: 'instant' },
  local: { ...plain, dataType: 'dateTime', format: 'local' },
  json: { ...plain, dataType: 'object', format: 'json' },
  binary: { ...plain, dataType: 'object', format: 'binary' },
}
