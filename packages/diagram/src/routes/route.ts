import { boxOf, card, type Box, type Point } from '../geometry.ts'
import type { Places, Scene } from '../scene.ts'

/** Corners of a line of right angles, as x, y, x, y …, from the row of the foreign key to the head of the target. */
export type Route = Float64Array

/** How far a line leaves a card before it turns. */
export const stub = 24

/** Where a line leaves a card with the foreign key, and where it arrives: heights on the two cards. */
export function heightsOf(scene: Scene, places: Places, link: number): { from: number; to: number } {
  const { from, to, row } = scene.links
  const [source, target] = [from[link]!, to[link]!]
  const top = places.y[source]!
  const drawn = row[link]! >= 0 && row[link]! < scene.rowCounts[source]!
  const self = source === target
  const start = drawn ? card.head + (row[link]! + 0.5) * card.row : card.head * (self ? 0.8 : 0.5)
  return { from: top + start, to: places.y[target]! + card.head * (self && !drawn ? 0.3 : 0.5) }
}

/** A route of at most three parts that minds no cards: for far zooms, and while cards are dragged. */
export function directRoute(scene: Scene, places: Places, link: number): Route {
  const [source, target] = [scene.links.from[link]!, scene.links.to[link]!]
  const heights = heightsOf(scene, places, link)
  const [a, b] = [boxOf(scene, places, source), boxOf(scene, places, target)]
  if (source === target) return Float64Array.from(looped(a.right, stub, heights))
  const sides = nearerSides(a, b)
  const start = sides.from === 1 ? a.right : a.left
  const end = sides.to === 1 ? b.right : b.left
  return Float64Array.of(start, heights.from, sides.turn, heights.from, sides.turn, heights.to, end, heights.to)
}

/** A self reference: out of the row, up beside the card, back into the head. */
export function looped(side: number, out: number, { from, to }: { from: number; to: number }): number[] {
  return [side, from, side + out, from, side + out, to, side, to]
}

type Sides = { from: -1 | 1; to: -1 | 1; turn: number }

function nearerSides(a: Box, b: Box): Sides {
  if (b.left >= a.right + 2 * stub) return { from: 1, to: -1, turn: b.left - stub }
  if (b.right <= a.left - 2 * stub) return { from: -1, to: 1, turn: b.right + stub }
  return { from: 1, to: 1, turn: Math.max(a.right, b.right) + stub }
}

/** How far a point is from a line. */
export function distanceTo(route: ArrayLike<number>, { x, y }: Point): number {
  let least = Infinity
  for (let at = 0; at + 3 < route.length; at += 2) {
    const [left, right] = ordered(route[at]!, route[at + 2]!)
    const [top, bottom] = ordered(route[at + 1]!, route[at + 3]!)
    // Parts are level or upright.
    least = Math.min(least, Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)))
  }
  return least
}

function ordered(a: number, b: number): [number, number] {
  return a < b ? [a, b] : [b, a]
}
