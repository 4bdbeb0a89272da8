import type { WireRecord } from '@cadmus/model/api/operation'
import type { Literal } from '@cadmus/model/values/literal'
import { faults } from './faults.ts'
import { fieldOf, keyOf, type Field, type Place } from './fields.ts'
import { readValue, refused } from './values.ts'

/** What a caller gives of a record, in the order of the fields. */
export type Given = readonly (readonly [field: Field, value: Literal | null])[]

/** The values of a new record. Throws a PlanFault for one that is no record of the entity. */
export function newRecord(place: Place, record: WireRecord): Given {
  const values = valuesOf(place, record)
  const given: (readonly [Field, Literal | null])[] = []
  for (const field of place.fields) {
    const value = values[field.index]
    const isThere = value !== undefined && value !== null
    if (field.generated && isThere) throw refused(field, faults.generated)
    if (isNeeded(field) && !isThere && (value === null || !field.column.default)) throw refused(field, faults.required)
    if (value !== undefined && !field.generated) given.push([field, value])
  }
  return given
}

/**
 * The key of a record and what of it is changed. `coalesce`: a value that is null is none that is given.
 */
export function changedRecord(place: Place, record: WireRecord, coalesce: boolean): { key: Literal; given: Given } {
  const keyField = keyOf(place)
  const values = valuesOf(place, record)
  const key = values[keyField.index]
  if (!key) throw refused(keyField, faults.required)
  const given: (readonly [Field, Literal | null])[] = []
  for (const field of place.fields) {
    const value = values[field.index]
    if (value === undefined || field === keyField || (coalesce && value === null)) continue
    if (value === null && !field.nullable) throw refused(field, faults.required)
    given.push([field, value])
  }
  return { key, given }
}

/** What is given, each at its field's place. */
function valuesOf(place: Place, record: WireRecord): readonly (Literal | null | undefined)[] {
  const values: (Literal | null | undefined)[] = []
  for (const name of Object.keys(record)) {
    const field = fieldOf(place, name)
    values[field.index] = readValue(field, record[name] ?? null)
  }
  return values
}

function isNeeded({ nullable, generated }: Field): boolean {
  return !nullable && !generated
}
