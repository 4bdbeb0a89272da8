import type { TypeAttribute } from '@cadmus/model/type-attribute'
import type { ColumnType } from './tree.ts'

/** The length of a string that is a key, unique, indexed, a foreign key's target or has choices, where no maximum is set. */
export const keyedLength = 255

/** The type of an attribute's column. `keyed`: it is a key, unique, indexed or a foreign key's target. */
export function columnTypeOf(attribute: TypeAttribute, keyed: boolean): ColumnType {
  switch (attribute.dataType) {
    case 'string':
      return stringType(attribute, keyed)
    case 'integer':
      return { kind: 'integer', bits: integerBits(attribute.format) }
    case 'double':
    case 'float':
      return numberType(attribute)
    case 'dateTime':
      return { kind: attribute.format === 'date' || attribute.format === 'time' ? attribute.format : 'timestamp' }
    case 'boolean':
      return { kind: 'boolean' }
    case 'object':
      return { kind: attribute.format === 'text' || attribute.format === 'binary' ? attribute.format : 'json' }
  }
}

/** Whether a database can compare whole values of the type in a key or an index. */
export function isIndexable(type: ColumnType): boolean {
  return type.kind !== 'text' && type.kind !== 'json' && type.kind !== 'binary'
}

function stringType({ choices, format, maxLength }: TypeAttribute, keyed: boolean): ColumnType {
  if (choices.length === 0 && format === 'guid') return { kind: 'guid' }
  if (maxLength !== null) return { kind: 'varchar', length: maxLength }
  if (choices.length > 0) {
    const longest = choices.reduce((length, choice) => Math.max(length, choice.length), 0)
    return { kind: 'varchar', length: Math.max(keyedLength, longest) }
  }
  return keyed ? { kind: 'varchar', length: keyedLength } : { kind: 'text' }
}

function integerBits(format: TypeAttribute['format']): 16 | 32 | 64 {
  if (format === 'int16') return 16
  return format === 'int32' ? 32 : 64
}

/** Exact where a precision is set or the format says decimal, else double precision. A scale above the precision widens it. */
function numberType({ format, precision, scale }: TypeAttribute): ColumnType {
  if (precision !== null) return { kind: 'decimal', precision: Math.max(precision, scale ?? 0), scale: scale ?? 0 }
  if (format !== 'decimal') return { kind: 'double' }
  return scale === null
    ? { kind: 'decimal', precision: null, scale: 0 }
    : { kind: 'decimal', precision: Math.max(38, scale), scale }
}
