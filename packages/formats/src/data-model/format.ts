import type { DataType, Format, TypeAttribute } from '@cadmus/model/type-attribute'

/** Types of a property; the default is string. */
export const propertyTypes = [
  'string',
  'integer',
  'long',
  'short',
  'double',
  'bigDecimal',
  'bigInteger',
  'boolean',
  'date',
  'object',
  'model',
] as const
export type PropertyType = (typeof propertyTypes)[number]

/** A `.model` file of the integration platform. */
export type Model = { name: string; type: 'model'; comments?: string; gloopProperties: Property[] }

export type Property = {
  name: string
  type: PropertyType
  /** Dotted path of the referenced model's file; `model` properties only. */
  reference?: string
  allowNull?: boolean
  defaultValue?: string
  maxLength?: number
  choices?: string[]
  allowOtherValues?: boolean
  comments?: string
}

type Typed = Pick<TypeAttribute, 'dataType' | 'format' | 'precision'>

export function propertyTypeOf({ dataType, format, precision }: Typed): Exclude<PropertyType, 'model'> {
  switch (dataType) {
    case 'integer':
      return precision === null || format !== null ? (integerTypes[format ?? ''] ?? 'integer') : exactType(precision)
    case 'double':
    case 'float':
      return precision !== null || format === 'decimal' ? 'bigDecimal' : 'double'
    case 'dateTime':
      return 'date'
    default:
      return dataType
  }
}

export const readTypes: Readonly<
  Record<Exclude<PropertyType, 'model'>, { dataType: DataType; format: Format | null }>
> = {
  string: { dataType: 'string', format: null },
  integer: { dataType: 'integer', format: null },
  long: { dataType: 'integer', format: 'int64' },
  short: { dataType: 'integer', format: 'int16' },
  double: { dataType: 'double', format: null },
  bigDecimal: { dataType: 'double', format: 'decimal' },
  bigInteger: { dataType: 'double', format: 'decimal' },
  boolean: { dataType: 'boolean', format: null },
  date: { dataType: 'dateTime', format: null },
  object: { dataType: 'object', format: null },
}

const integerTypes: Readonly<Record<string, 'short' | 'long'>> = { int16: 'short', int64: 'long' }

/** The shortest type of all integers of that many digits. */
function exactType(digits: number): 'short' | 'integer' | 'long' | 'bigInteger' {
  if (digits <= 9) return digits <= 4 ? 'short' : 'integer'
  return digits <= 18 ? 'long' : 'bigInteger'
}

const keywords = new Set(
  `abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally
  float for goto if implements import instanceof int interface long native new package private protected public return short static
  strictfp super switch synchronized this throw throws transient try void volatile while true false null`.split(/\s+/),
)

/** Converts a name to a Java identifier, which folders of models require. */
export function identifierOf(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_]+/g, '_').slice(0, 120)
  if (!/[A-Za-z0-9]/.test(plain)) return 'model'
  return /^\d/.test(plain) || keywords.has(plain) ? `_${plain}` : plain
}
