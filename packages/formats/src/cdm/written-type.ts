import type { ResolvedAttribute } from '@cadmus/model/inherit'
import type { DataType, Format, TypeAttribute } from '@cadmus/model/type-attribute'
import { decimalShape, integerDigits } from '@cadmus/model/values/literal'
import { productTypes } from './data-types.ts'
import { standardTypes } from './standard.ts'
import { shapeTrait } from './declared-values.ts'

export type WrittenType =
  | string
  | {
      dataTypeReference: string
      appliedTraits: { traitReference: string; arguments: { name: string; value: number }[] }[]
    }

/** CDM data types by format. Most string formats only refine text; guid is a separate type. */
const typesOfFormats: Partial<Record<DataType, Partial<Record<Format, string>>>> = {
  integer: { int16: 'smallInteger', int32: 'integer', int64: 'bigInteger' },
  dateTime: { date: 'date', time: 'time', instant: 'dateTimeOffset' },
  object: { json: 'json', binary: 'binary', text: 'string' },
  string: { guid: 'guid' },
}

export function writtenType(of: ResolvedAttribute): WrittenType {
  if (of.kind === 'foreignKey') return of.dataType
  const { attribute } = of
  const shape = shapeOf(attribute)
  if (shape.length === 0) return typeName(attribute)
  return { dataTypeReference: 'decimal', appliedTraits: [{ traitReference: shapeTrait, arguments: shape }] }
}

/** The type as readers restore it. */
export function typeAsRead(
  attribute: TypeAttribute,
): Pick<TypeAttribute, 'dataType' | 'format' | 'precision' | 'scale'> {
  const shape = new Map(shapeOf(attribute).map(({ name, value }) => [name, value]))
  return {
    ...productTypes[standardTypes.get(typeName(attribute)) ?? 'Unknown'],
    precision: shape.get('precision') ?? null,
    scale: shape.get('scale') ?? null,
  }
}

function typeName(attribute: TypeAttribute): string {
  const { dataType, format } = attribute
  if (isDecimal(attribute)) return 'decimal'
  if (dataType === 'integer' && (integerDigits(attribute) ?? 0) > 9) return 'bigInteger'
  return (format && typesOfFormats[dataType]?.[format]) ?? dataType
}

function isDecimal(attribute: TypeAttribute): boolean {
  const { dataType } = attribute
  return (dataType === 'double' || dataType === 'float') && decimalShape(attribute) !== null
}

/** Precision and scale as CDM allows them: a scale requires a precision that is not smaller. */
function shapeOf(attribute: TypeAttribute): { name: 'precision' | 'scale'; value: number }[] {
  const { precision, scale } = attribute
  if (!isDecimal(attribute) || precision === null || (scale ?? 0) > precision) return []
  return [
    { name: 'precision', value: precision },
    ...(scale === null ? [] : [{ name: 'scale' as const, value: scale }]),
  ]
}
