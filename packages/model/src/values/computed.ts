import type { DataType, DefaultKind, Format } from '../data-types.ts'

export type ComputedKind = Exclude<DefaultKind, 'literal'>

/** What is computed for a column: the present moment, its date and time in UTC or on a clock on the wall, the day, or a random UUID. */
export type Computed = {
  readonly kind: 'computed'
  readonly value: 'instant' | 'utc' | 'local' | 'today' | 'uuid'
}

type Type = { dataType: DataType; format: Format | null }

/** The only computed default that values of the type can have; null: none. */
export function computedKindOf({ dataType, format }: Type): ComputedKind | null {
  if (dataType === 'dateTime') return format === 'time' ? null : format === 'date' ? 'today' : 'now'
  return dataType === 'string' && format === 'guid' ? 'uuid' : null
}

/** The computed default of a valid attribute. */
export function computedDefault(kind: ComputedKind, { format }: Type): Computed {
  if (kind !== 'now') return { kind: 'computed', value: kind }
  return { kind: 'computed', value: format === 'instant' || format === 'local' ? format : 'utc' }
}

/** Functions of databases in capitals, by what they compute. A moment has a day. */
export const functionNames: Readonly<Record<'moment' | 'utc' | 'day' | 'uuid', ReadonlySet<string>>> = {
  moment:
    wordSet(`NOW CURRENT_TIMESTAMP LOCALTIMESTAMP LOCALTIME TRANSACTION_TIMESTAMP STATEMENT_TIMESTAMP CLOCK_TIMESTAMP
    GETDATE SYSDATETIME SYSDATETIMEOFFSET SYSDATE SYSTIMESTAMP CURRENT_DATETIME`),
  utc: wordSet('UTC_TIMESTAMP GETUTCDATE SYSUTCDATETIME'),
  day: wordSet('CURRENT_DATE CURDATE TODAY UTC_DATE'),
  uuid: wordSet(
    'UUID UUID_GENERATE_V1 UUID_GENERATE_V1MC UUID_GENERATE_V4 GEN_RANDOM_UUID NEWID NEWSEQUENTIALID SYS_GUID RANDOM_UUID UUIDV4 UUIDV7',
  ),
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/))
}

/** Whether a function of a database, by its name in any case, returns the present time. */
export function isMomentName(name: string): boolean {
  const upper = name.toUpperCase()
  return functionNames.moment.has(upper) || functionNames.utc.has(upper)
}

/** The computed default of the type that a function of a database means, by its name in capitals; null: none. */
export function computedBy(name: string, type: Type): ComputedKind | null {
  const kind = computedKindOf(type)
  const { day, uuid } = functionNames
  if (kind === 'uuid') return uuid.has(name) ? kind : null
  return kind !== null && (isMomentName(name) || (kind === 'today' && day.has(name))) ? kind : null
}

/** The computed default of the type that a text means, such as `now`, `now()`, or a function of a database; null: none. */
export function computedNamed(text: string, type: Type): ComputedKind | null {
  const [, name = ''] = /^[`(\s]*([a-z_\d]{1,40})\s*(?:\(\s*\d?\s*\))?[`)\s]*$/i.exec(text.slice(0, 100)) ?? []
  return computedBy(name.toUpperCase(), type)
}

/** The expression of what is computed for a column. */
export function expressionOf({ value }: Computed): string {
  return expressionsOf[value === 'uuid' || value === 'today' ? value : 'now']
}

/** Expressions of PostgreSQL, which readers of DBML know. */
export const expressionsOf: Readonly<Record<ComputedKind, string>> = {
  now: 'now()',
  today: 'current_date',
  uuid: 'gen_random_uuid()',
}
