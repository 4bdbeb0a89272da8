import { limits } from '@cadmus/model/limits'
import { formatsOf } from '@cadmus/model/rules/type-attribute'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { decimalShape, fixedLength, integerDigits, isFault, readChoice } from '@cadmus/model/values/literal'
import type { ColumnType } from './tree.ts'

/** Default length of a string that is a key, unique, indexed, referenced or has choices. */
export const keyedLength = limits.keyedText

/** Types without parameters are shared: a model has as many as columns. */
const shared = {
  text: { kind: 'text' },
  guid: { kind: 'guid' },
  double: { kind: 'double' },
  single: { kind: 'double', isSingle: true },
  boolean: { kind: 'boolean' },
  date: { kind: 'date' },
  time: { kind: 'time' },
  timestamp: { kind: 'timestamp' },
  instant: { kind: 'instant' },
  local: { kind: 'timestamp', isLocal: true },
  json: { kind: 'json' },
  binary: { kind: 'binary' },
} as const satisfies Record<string, ColumnType>

const integers = {
  16: { kind: 'integer', bits: 16 },
  32: { kind: 'integer', bits: 32 },
  64: { kind: 'integer', bits: 64 },
} as const satisfies Record<number, ColumnType>

const momentFormats = formatsOf.dateTime

/** The type of an attribute's column. `keyed`: it is a key, unique, indexed or referenced by a foreign key. */
export function columnTypeOf(attribute: TypeAttribute, keyed: boolean): ColumnType {
  switch (attribute.dataType) {
    case 'string':
      return stringType(attribute, keyed)
    case 'integer':
      return integerType(attribute)
    case 'double':
    case 'float':
      return numberType(attribute)
    case 'dateTime':
      return shared[momentFormats.find(format => format === attribute.format) ?? 'timestamp']
    case 'boolean':
      return shared.boolean
    case 'object':
      return shared[attribute.format === 'text' || attribute.format === 'binary' ? attribute.format : 'json']
  }
}

type Kind = ColumnType['kind']
type OfKind<K extends Kind> = ColumnType & { kind: K }

/** The value of a type by its kind, or computed from the type; `otherwise` for all other kinds. */
export function byKind<T extends string | number | object>(
  values: { readonly [K in Kind]?: T | ((type: OfKind<K>) => T) },
  otherwise: T | ((type: ColumnType) => T),
): (type: ColumnType) => T {
  // The entry of a kind takes types of this kind.
  const entries: { readonly [K in Kind]?: T | ((type: never) => T) } = values
  return type => {
    const value = entries[type.kind] ?? otherwise
    return typeof value === 'function' ? value(type as never) : value
  }
}

/** An expression of a column or value, by the kind of its type. */
export function expressionByKind<T extends string | null = string>(
  expressions: { readonly [K in Kind]?: (column: string, type: OfKind<K>) => T },
  otherwise: (column: string, type: ColumnType) => T,
): (column: string, type: ColumnType) => T {
  const entries: { readonly [K in Kind]?: (column: string, type: never) => T } = expressions
  return (column, type) => (entries[type.kind] ?? otherwise)(column, type as never)
}

/** Whether values of the type can be compared as a whole in a key or an index. */
export function isIndexable(type: ColumnType): boolean {
  return type.kind !== 'text' && type.kind !== 'json' && type.kind !== 'binary'
}

export function isText({ kind }: ColumnType): boolean {
  return kind === 'text' || kind === 'varchar'
}

/** Whether it is a text of fixed length. */
export function isFixed(type: ColumnType): boolean {
  return (type.kind === 'varchar' || type.kind === 'text') && type.isFixed === true
}

export function isNumeric(type: ColumnType): type is ColumnType & { kind: 'integer' | 'decimal' | 'double' } {
  return type.kind === 'integer' || type.kind === 'decimal' || type.kind === 'double'
}

export function isSameType(a: ColumnType, b: ColumnType): boolean {
  if (a.kind === 'decimal') {
    return b.kind === a.kind && a.precision === b.precision && a.scale === b.scale && a.isWhole === b.isWhole
  }
  if (a.kind === 'varchar' || a.kind === 'text')
    return b.kind === a.kind && a.length === b.length && a.isFixed === b.isFixed
  if (a.kind === 'double') return b.kind === a.kind && a.isSingle === b.isSingle
  if (a.kind === 'integer') return b.kind === a.kind && a.bits === b.bits && a.digits === b.digits
  return a.kind === b.kind
}

function stringType(attribute: TypeAttribute, keyed: boolean): ColumnType {
  const { choices, format, maxLength } = attribute
  if (format === 'guid' && !hasGuids(attribute)) return shared.guid
  const fixed = fixedLength(attribute)
  if (fixed !== null) return { kind: 'varchar', length: fixed, isFixed: true }
  if (maxLength !== null) return { kind: 'varchar', length: maxLength }
  if (choices.length > 0) {
    const longest = choices.reduce((length, choice) => Math.max(length, choice.length), 0)
    return { kind: 'varchar', length: Math.max(keyedLength, longest) }
  }
  return keyed ? { kind: 'varchar', length: keyedLength } : shared.text
}

/** Decimal digits of which all integers have that many bits. */
const wholeDigits = { 16: 4, 32: 9, 64: 18 } as const
/** Decimal digits of the longest integers of that many bits. */
const longestDigits = { 16: 5, 32: 10, 64: 19 } as const

function integerType(attribute: TypeAttribute): ColumnType {
  const digits = integerDigits(attribute)
  if (digits === null) return integers[attribute.format === 'int16' ? 16 : attribute.format === 'int32' ? 32 : 64]
  if (digits <= wholeDigits[64]) return { kind: 'integer', bits: 64, digits }
  return { kind: 'decimal', precision: digits, scale: 0, isWhole: true }
}

type IntegerType = ColumnType & { kind: 'integer' }

/** The largest integer of the type; the smallest is its negative, or one less for a number of bits. */
export function rangeOf({ bits, digits }: IntegerType): { least: bigint; largest: bigint } {
  const largest = digits === undefined ? 2n ** BigInt(bits - 1) - 1n : 10n ** BigInt(digits) - 1n
  return { least: digits === undefined ? -largest - 1n : -largest, largest }
}

/** Decimal digits that the longest integers of the type have. */
export function digitsOf({ bits, digits }: IntegerType): number {
  return digits ?? longestDigits[bits]
}

/** Choices that are guids may differ in case, so such an attribute is a text. */
function hasGuids(attribute: TypeAttribute): boolean {
  return attribute.choices.length > 0 && attribute.choices.every(choice => !isFault(readChoice(choice, attribute)))
}

/** Exact with a precision or the format decimal, else single or double precision. */
function numberType(attribute: TypeAttribute): ColumnType {
  const shape = decimalShape(attribute)
  if (shape) return { kind: 'decimal', ...shape }
  return attribute.format === 'single' ? shared.single : shared.double
}
