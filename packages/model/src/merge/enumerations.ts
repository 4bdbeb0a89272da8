import type { Enumeration } from '../enumeration.ts'
import { inOrder, mergeItems, type Merge, Merging, three } from './items.ts'

type Placed = Enumeration & { position: number }

/** The enumerations of a manifest that two sides changed, by uid and field. */
export function mergeEnumerations(
  base: readonly Enumeration[],
  mine: readonly Enumeration[],
  theirs: readonly Enumeration[],
): Merge<Enumeration[]> {
  const merging = new Merging()
  const placed = three({ base, mine, theirs }, all => all.map((one, position): Placed => ({ ...one, position })))
  const merged = mergeItems(merging, 'enumerations', ['name', 'description', 'values'], placed)
  const ordered = inOrder(merging, 'enumerations', merged, placed)
  return merging.answer(ordered.map(({ position: _position, ...enumeration }) => enumeration))
}
