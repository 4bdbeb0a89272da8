import type { EntityContent } from '../entity.ts'
import { newOnes, type Insertion } from './lists.ts'
import { uidOf } from './uid-of.ts'

/** The insertions whose uid no attribute and no relationship has: one uid is one column. */
export function newColumns<T extends { uid: string }>(
  { typeAttributes, entityAttributes }: EntityContent,
  added: readonly Insertion<T, string>[],
): Insertion<T, string>[] {
  const taken = new Set([...typeAttributes, ...entityAttributes].map(uidOf))
  return newOnes<T, string>([], added, uidOf).filter(({ item }) => !taken.has(item.uid))
}
