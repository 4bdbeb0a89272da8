import type { WireRecord } from '@cadmus/model/api/operation'
import type { Computed } from '@cadmus/model/values/computed'
import { type Literal, withoutZeros } from '@cadmus/model/values/literal'
import { checkRecord } from './checks.ts'
import { faults } from './faults.ts'
import { fieldOf, keyOf, type Field, type EntityMapping } from './fields.ts'
import type { Key } from './keys.ts'
import { readValue, fieldFault } from './values.ts'

/** Values of a record's fields, in the order of the fields. */
export type FieldValues = readonly (readonly [field: Field, value: Literal | null])[]

/** Checks the values of a new record, and computes those that it lacks, at one moment. Throws a PlanFault for invalid ones. */
export function newRecord(mapping: EntityMapping, record: WireRecord, at = new Date()): FieldValues {
  const values = valuesOf(mapping, record)
  const fieldValues: (readonly [Field, Literal | null])[] = []
  for (const field of mapping.fields) {
    const sent = values[field.index]
    const value = sent === undefined && field.default?.kind === 'computed' ? computed(field.default, at) : sent
    const isPresent = value !== undefined && value !== null
    if (field.generated && isPresent) throw fieldFault(field, faults.generated)
    if (isRequired(field) && !isPresent && (value === null || !field.column.default))
      throw fieldFault(field, faults.required)
    if (value !== undefined && !field.generated) fieldValues.push([field, value])
  }
  const written = new Map(fieldValues)
  checkRecord(mapping, field => (written.has(field) ? (written.get(field) ?? null) : literalDefault(field)))
  return fieldValues
}

/** A computed default is among the values of a new record. */
export function literalDefault({ column: { default: value } }: Field): Literal | null {
  return value?.kind === 'computed' ? null : value
}

/** The same on all databases, whatever their time zone. */
function computed({ value }: Computed, at: Date): Literal {
  const moment = at.toISOString().slice(0, -1)
  switch (value) {
    case 'uuid':
      return { kind: 'text', value: crypto.randomUUID() }
    case 'today':
      return { kind: 'date', value: moment.slice(0, 10) }
    default:
      return withoutZeros({ kind: value === 'instant' ? value : 'timestamp', value: moment })
  }
}

/** The key of a record and its changed fields. `coalesce`: null leaves a field unchanged. */
export function changedRecord(
  mapping: EntityMapping,
  record: WireRecord,
  coalesce: boolean,
): { key: Key; fieldValues: FieldValues } {
  const keyFields = keyOf(mapping)
  const values = valuesOf(mapping, record)
  const key = keyFields.map(field => {
    const value = values[field.index]
    if (!value) throw fieldFault(field, faults.required)
    return [field, value] as const
  })
  const fieldValues: (readonly [Field, Literal | null])[] = []
  for (const field of mapping.fields) {
    const value = values[field.index]
    if (value === undefined || keyFields.includes(field) || (coalesce && value === null)) continue
    if (value === null && !field.nullable) throw fieldFault(field, faults.required)
    fieldValues.push([field, value])
  }
  return { key, fieldValues }
}

/** The values by the index of their fields. */
function valuesOf(mapping: EntityMapping, record: WireRecord): readonly (Literal | null | undefined)[] {
  const values: (Literal | null | undefined)[] = []
  for (const name of Object.keys(record)) {
    const field = fieldOf(mapping, name)
    values[field.index] = readValue(field, record[name] ?? null)
  }
  return values
}

function isRequired({ nullable, generated }: Field): boolean {
  return !nullable && !generated
}
