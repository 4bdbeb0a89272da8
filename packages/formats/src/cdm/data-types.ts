import type { DataType, Format } from '@cadmus/model/type-attribute'

/** Formats of CDM data types. `Unknown`: the type has none. */
export const cdmFormats = [
  'Int16',
  'Int32',
  'Int64',
  'Float',
  'Double',
  'Guid',
  'String',
  'Char',
  'Byte',
  'Binary',
  'Time',
  'Date',
  'DateTime',
  'DateTimeOffset',
  'Boolean',
  'Decimal',
  'Json',
  'Unknown',
] as const
export type CdmFormat = (typeof cdmFormats)[number]

export const productTypes = {
  Int16: { dataType: 'integer', format: 'int16' },
  Int32: { dataType: 'integer', format: 'int32' },
  Int64: { dataType: 'integer', format: 'int64' },
  Byte: { dataType: 'integer', format: 'int16' },
  Float: { dataType: 'float', format: null },
  Double: { dataType: 'double', format: null },
  Decimal: { dataType: 'double', format: 'decimal' },
  Guid: { dataType: 'string', format: 'guid' },
  String: { dataType: 'string', format: null },
  Char: { dataType: 'string', format: null },
  Binary: { dataType: 'object', format: 'binary' },
  Json: { dataType: 'object', format: 'json' },
  Unknown: { dataType: 'object', format: null },
  Time: { dataType: 'dateTime', format: 'time' },
  Date: { dataType: 'dateTime', format: 'date' },
  DateTime: { dataType: 'dateTime', format: null },
  DateTimeOffset: { dataType: 'dateTime', format: 'instant' },
  Boolean: { dataType: 'boolean', format: null },
} as const satisfies Record<CdmFormat, { dataType: DataType; format: Format | null }>

/** Finds a format by its `dataFormat` name, case-insensitively; `JObject` is an older name of `Json`. */
export function namedFormat(name: string): CdmFormat | undefined {
  const folded = name.toLowerCase()
  if (folded === 'jobject') return 'Json'
  return cdmFormats.find(format => format.toLowerCase() === folded)
}

/**
 * Derives the format of a type from its traits and the traits of its ancestors, root first. Used for types derived from
 * `any`; standard types are in the table of standard definitions.
 */
export function formatOfTraits(traits: readonly string[]): CdmFormat {
  const has = (name: string) => traits.includes(name)
  const array = has('is.dataFormat.array')
  const big = has('is.dataFormat.big')
  if (has('is.dataFormat.guid')) return 'Guid'
  if (has('is.dataFormat.boolean')) return 'Boolean'
  if (has('is.dataFormat.timeOffset')) return 'DateTimeOffset'
  if (has('is.dataFormat.date')) return has('is.dataFormat.time') ? 'DateTime' : 'Date'
  if (has('is.dataFormat.time')) return 'Time'
  if (has('is.dataFormat.character')) return array ? textFormat(has('means.content.text.JSON')) : 'Char'
  if (has('is.dataFormat.byte')) return array ? 'Binary' : 'Byte'
  if (has('is.dataFormat.floatingPoint')) return big ? 'Double' : 'Float'
  if (has('is.dataFormat.JSInteger')) return 'Int64'
  if (has('is.dataFormat.numeric.shaped')) return 'Decimal'
  if (!has('is.dataFormat.integer')) return 'Unknown'
  if (big) return 'Int64'
  return has('is.dataFormat.small') ? 'Int16' : 'Int32'
}

function textFormat(isJson: boolean): CdmFormat {
  return isJson ? 'Json' : 'String'
}
