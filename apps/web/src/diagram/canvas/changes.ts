import { overhang } from '@cadmus/diagram/drawing'
import { boxOf, grown, type Box } from '@cadmus/diagram/geometry'
import type { Row } from '@cadmus/diagram/scene'
import type { Picture } from '../diagram.ts'
import type { Ground } from './ground.ts'

/** Boxes in which two pictures of one scene differ, apart from places; undefined: everywhere. */
export function changesOf(
  { scene, places }: Ground,
  last: Picture,
  next: Picture,
  painted: ReadonlyMap<number, readonly Row[] | undefined>,
): Box[] | undefined {
  // What is chosen is drawn above the tiles; only that something is chosen makes links pale.
  if (isEmphasised(last) !== isEmphasised(next)) return undefined
  const changed = new Set([
    ...differences(last.marks, next.marks),
    ...differences(last.hiddenNeighbours, next.hiddenNeighbours),
  ])
  for (const [card, rows] of painted) if (next.rows(card) !== rows) changed.add(card)
  return [...changed].map(card => grown(boxOf(scene, places, card), overhang))
}

export function isEmphasised({ chosen, way }: Picture): boolean {
  return chosen.size > 0 || way.size > 0
}

function differences<T>(a: ReadonlyMap<number, T>, b: ReadonlyMap<number, T>): number[] {
  if (a === b) return []
  return [...new Set([...a.keys(), ...b.keys()])].filter(key => a.get(key) !== b.get(key))
}
