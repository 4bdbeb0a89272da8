// Enumerations of attributes and foreign keys; below rules and fields, which use them.

export const dataTypes = ['boolean', 'dateTime', 'double', 'float', 'integer', 'object', 'string'] as const
export type DataType = (typeof dataTypes)[number]
export const keyDataTypes = ['integer', 'string'] as const
export type KeyDataType = (typeof keyDataTypes)[number]
/** Integers and strings are offered first, because keys should be of these. */
export const foreignKeyDataTypes = [...keyDataTypes, 'boolean', 'dateTime', 'double', 'float'] as const
export type ForeignKeyDataType = (typeof foreignKeyDataTypes)[number]

export const purposes = [
  'hasA',
  'identifiedBy',
  'locatedAt',
  'namedBy',
  'orderedBy',
  'representsCorrelatedStatusWith',
  'representsStateWith',
] as const
export type Purpose = (typeof purposes)[number]

/** Refinement of a data type; cleared when the data type changes. */
export const formats = [
  'int16',
  'int32',
  'int64',
  'decimal',
  'single',
  'date',
  'time',
  'instant',
  'local',
  'guid',
  'fixed',
  'binary',
  'json',
  'text',
] as const
export type Format = (typeof formats)[number]

/** Enumerations of a manifest, characters of a name, values of one, and characters of a value and a label. */
export const enumerationLimits = { max: 500, name: 120, description: 20_000, values: 10_000, value: 4000, label: 4000 }

/** Most characters of a text of fixed length: what all databases have types for. */
export const longestFixed = 255

/** Where the value of a new record comes from that has none: the default value, or what the database and the instance compute. */
export const defaultKinds = ['literal', 'now', 'today', 'uuid'] as const
export type DefaultKind = (typeof defaultKinds)[number]

export const onDeleteActions = ['restrict', 'cascade', 'setNull'] as const
export type OnDelete = (typeof onDeleteActions)[number]
