import type { EntityContent } from '../entity.ts'
import { newInsertions, type Insertion } from './lists.ts'
import { uidOf } from './uid-of.ts'

/** Insertions whose uid is not used by an attribute or relationship: a uid identifies one column. */
export function newColumns<T extends { uid: string }>(
  { typeAttributes, entityAttributes }: EntityContent,
  added: readonly Insertion<T, string>[],
): Insertion<T, string>[] {
  const taken = new Set([...typeAttributes, ...entityAttributes].map(uidOf))
  return newInsertions<T, string>([], added, uidOf).filter(({ item }) => !taken.has(item.uid))
}
