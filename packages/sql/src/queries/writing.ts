import type { WireRecord } from '@cadmus/model/api/operation'
import type { Literal } from '@cadmus/model/values/literal'
import { faults } from './faults.ts'
import { fieldOf, keyOf, type Field, type Place } from './fields.ts'
import { readValue, refused } from './values.ts'

/** What a caller gives of a record, in the order of the fields. */
export type Given = readonly (readonly [field: Field, value: Literal | null])[]

/** The values of a new record. Throws a PlanFault for one that is no record of the entity. */
export function newRecord(place: Place, record: WireRecord): Given {
  const given = givenOf(place, record)
  const values = new Map(given)
  for (const field of place.fields) {
    const value = values.get(field) ?? null
    if (field.generated && value !== null) throw refused(field, faults.generated)
    if (!isNeeded(field) || value !== null) continue
    if (values.has(field) || !field.column.default) throw refused(field, faults.required)
  }
  return given.filter(([field]) => !field.generated)
}

/**
 * The key of a record and what of it is changed. `coalesce`: a value that is null is none that is given.
 */
export function changedRecord(place: Place, record: WireRecord, coalesce: boolean): { key: Literal; given: Given } {
  const keyField = keyOf(place)
  const all = givenOf(place, record)
  const key = all.find(([field]) => field === keyField)?.[1]
  if (!key) throw refused(keyField, faults.required)
  const given = all.filter(([field, value]) => field !== keyField && !(coalesce && value === null))
  for (const [field, value] of given) {
    if (value === null && !field.nullable) throw refused(field, faults.required)
  }
  return { key, given }
}

function givenOf(place: Place, record: WireRecord): Given {
  const given = Object.entries(record).map(([name, value]) => {
    const field = fieldOf(place, name)
    return [field, readValue(field, value)] as const
  })
  return given.toSorted(([a], [b]) => a.index - b.index)
}

function isNeeded({ nullable, generated }: Field): boolean {
  return !nullable && !generated
}
