import type { Api, ApiFieldType } from '@cadmus/model/api/api'

/** Custom scalars and their representation in JSON. */
export const scalars = {
  Long: 'A 64-bit integer: a number, or a string beyond 2^53.',
  Decimal: 'An exact number, as a string.',
  Date: 'A day: 2026-01-31.',
  Time: 'A time of day: 13:45:00.',
  Timestamp: 'A date and time without a time zone: 2026-01-31T13:45:00.',
  DateTime: 'A moment with its offset, answered in UTC: 2026-01-31T13:45:00Z.',
  LocalDateTime: 'The date and time of a clock on a wall, without an offset: 2026-01-31T13:45:00.',
  Guid: 'A UUID in lower case.',
  Binary: 'Bytes in Base64.',
  Json: 'Any JSON value.',
} as const

export type ScalarName = keyof typeof scalars | 'String' | 'Int' | 'Float' | 'Boolean'

const names: Readonly<Record<Exclude<ApiFieldType['kind'], 'integer'>, ScalarName>> = {
  text: 'String',
  guid: 'Guid',
  double: 'Float',
  boolean: 'Boolean',
  date: 'Date',
  time: 'Time',
  timestamp: 'Timestamp',
  instant: 'DateTime',
  local: 'LocalDateTime',
  json: 'Json',
  binary: 'Binary',
  decimal: 'Decimal',
}

const rareScalars = [
  ['DateTime', 'instant'],
  ['LocalDateTime', 'local'],
] as const

/** Scalars that only the schemas of APIs with such fields have; `isUsed`: those that this API has, or lacks. */
export function rareScalarsOf({ entities }: Api, isUsed: boolean): Set<string> {
  const kinds = new Set(entities.flatMap(({ fields }) => fields.map(({ type }) => type.kind)))
  return new Set(rareScalars.flatMap(([name, kind]) => (kinds.has(kind) === isUsed ? [name] : [])))
}

export function scalarOf(type: ApiFieldType): ScalarName {
  if (type.kind !== 'integer') return names[type.kind]
  return type.bits === 64 ? 'Long' : 'Int'
}
