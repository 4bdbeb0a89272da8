import type { WireRecord } from '@cadmus/model/api/operation'
import type { Literal } from '@cadmus/model/values/literal'
import { faults } from './faults.ts'
import { fieldOf, keyOf, type Field, type EntityMapping } from './fields.ts'
import { readValue, fieldFault } from './values.ts'

/** Values of a record's fields, in the order of the fields. */
export type FieldValues = readonly (readonly [field: Field, value: Literal | null])[]

/** Checks the values of a new record. Throws a PlanFault for invalid ones. */
export function newRecord(mapping: EntityMapping, record: WireRecord): FieldValues {
  const values = valuesOf(mapping, record)
  const fieldValues: (readonly [Field, Literal | null])[] = []
  for (const field of mapping.fields) {
    const value = values[field.index]
    const isPresent = value !== undefined && value !== null
    if (field.generated && isPresent) throw fieldFault(field, faults.generated)
    if (isRequired(field) && !isPresent && (value === null || !field.column.default))
      throw fieldFault(field, faults.required)
    if (value !== undefined && !field.generated) fieldValues.push([field, value])
  }
  return fieldValues
}

/** The key of a record and its changed fields. `coalesce`: null leaves a field unchanged. */
export function changedRecord(
  mapping: EntityMapping,
  record: WireRecord,
  coalesce: boolean,
): { key: Literal; fieldValues: FieldValues } {
  const keyField = keyOf(mapping)
  const values = valuesOf(mapping, record)
  const key = values[keyField.index]
  if (!key) throw fieldFault(keyField, faults.required)
  const fieldValues: (readonly [Field, Literal | null])[] = []
  for (const field of mapping.fields) {
    const value = values[field.index]
    if (value === undefined || field === keyField || (coalesce && value === null)) continue
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
