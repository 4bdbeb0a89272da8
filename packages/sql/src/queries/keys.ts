import type { WireKey, WireRecord } from '@cadmus/model/api/operation'
import type { Literal } from '@cadmus/model/values/literal'
import { type EntityMapping, type Field, keyOf } from './fields.ts'
import type { Checker } from './reading.ts'
import type { FieldSlot } from './selects.ts'
import { readCompared } from './values.ts'

/** The key of a record with a value for each part. */
export type Key = readonly (readonly [field: Field, value: Literal])[]

/** Checks the key of a record. Throws a PlanFault that names the wrong part, or for an entity without a key. */
export function readKey(mapping: EntityMapping, key: WireKey): Key {
  return keyOf(mapping).map((field, at) => [field, readCompared(field, key[at] ?? null)])
}

/** Empty for an entity without a key. */
export function keyIn({ key }: Pick<EntityMapping, 'key'>, record: WireRecord | null): WireKey {
  return key.map(({ name }) => record?.[name] ?? null)
}

/** The slots of the key's values, which follow one another. */
export function keySlots(checker: Checker, key: Key): FieldSlot[] {
  return key.map(([field, value]) => ({ field, slot: checker.addValue(value) }))
}
