import type { Places, Scene } from './scene.ts'

export type Point = { x: number; y: number }
export type Box = { left: number; top: number; right: number; bottom: number }

/** Sizes in world pixels. */
export const card = { width: 240, head: 30, row: 20, foot: 6 } as const

export function heightOf(rows: number): number {
  return card.head + rows * card.row + (rows > 0 ? card.foot : 0)
}

export function boxOf(scene: Pick<Scene, 'rowCounts'>, places: Places, index: number): Box {
  const [left, top] = [places.x[index]!, places.y[index]!]
  return { left, top, right: left + card.width, bottom: top + heightOf(scene.rowCounts[index]!) }
}

/** The box around all boxes; undefined for none. */
export function around(boxes: Iterable<Box>): Box | undefined {
  let all: Box | undefined
  for (const box of boxes) {
    all = all
      ? {
          left: Math.min(all.left, box.left),
          top: Math.min(all.top, box.top),
          right: Math.max(all.right, box.right),
          bottom: Math.max(all.bottom, box.bottom),
        }
      : { ...box }
  }
  return all
}

export function grown(box: Box, by: number): Box {
  return { left: box.left - by, top: box.top - by, right: box.right + by, bottom: box.bottom + by }
}

/** Whether two boxes have a common area; touching edges have none. */
export function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

/** Whether the first box lies in the second. */
export function isWithin(box: Box, outer: Box): boolean {
  return box.left >= outer.left && box.right <= outer.right && box.top >= outer.top && box.bottom <= outer.bottom
}
