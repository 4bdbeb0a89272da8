import { around, boxOf, card as sizes, heightOf, type Box } from '../geometry.ts'
import type { Places, Scene } from '../scene.ts'
import { linksOf } from '../ways.ts'
import { arrangeBlock } from './arrange.ts'
import { gap } from './component.ts'
import { Room, type Corner } from './room.ts'

/** More new cards than that are laid out as a block of their own: one by one they would only fill gaps. */
const mostSingle = 150
const apart = 200

/**
 * Places for cards that have none: the first free ones beside what they are linked with, else below their area. No other card
 * moves.
 */
export function placeNew(scene: Scene, places: Places, cards: Iterable<number>): Map<number, Corner> {
  const fresh = [...new Set(cards)]
  const isFresh = new Set(fresh)
  const placed = Array.from({ length: scene.count }, (_, card) => card).filter(card => !isFresh.has(card))
  const all = around(placed.map(card => boxOf(scene, places, card)))
  if (!all || fresh.length > mostSingle)
    return arrangeBlock(scene, places, fresh, own =>
      all ? { x: all.right + apart - own.left, y: all.top - own.top } : { x: 0, y: 0 },
    )
  const bounds = boundsOfAreas(scene, places, placed)
  const room = new Room(scene, places, fresh)
  const moves = new Map<number, Corner>()
  for (const card of orderOf(scene, fresh, isFresh)) {
    const area = bounds.get(scene.areas[card]!)
    const unlinked = area ? { x: area.left, y: area.bottom + gap.down } : { x: all.right + apart, y: all.top }
    const size = { left: 0, top: 0, right: sizes.width, bottom: heightOf(scene.rowCounts[card]!) }
    const corner = room.nearest([size], besideLinked(scene, room, card) ?? unlinked)
    room.place(card, corner)
    moves.set(card, corner)
  }
  return moves
}

function boundsOfAreas(scene: Scene, places: Places, cards: readonly number[]): Map<number, Box> {
  const bounds = new Map<number, Box>()
  for (const card of cards) {
    const [area, box] = [scene.areas[card]!, boxOf(scene, places, card)]
    const own = bounds.get(area)
    bounds.set(area, own ? around([own, box])! : box)
  }
  return bounds
}

/** Those linked with placed cards first, then what is linked with these: chains grow from what is there. */
function orderOf(scene: Scene, fresh: readonly number[], isFresh: ReadonlySet<number>): Iterable<number> {
  const neighbours = (card: number) => linksOf(scene, card).map(link => otherEnd(scene, link, card))
  const order = new Set(fresh.filter(card => neighbours(card).some(other => !isFresh.has(other))))
  // A set visits what is added while it is visited.
  for (const card of order) for (const other of neighbours(card)) if (isFresh.has(other)) order.add(other)
  return new Set([...order, ...fresh])
}

function otherEnd({ links }: Scene, link: number, card: number): number {
  return links.from[link] === card ? links.to[link]! : links.from[link]!
}

/** Right of a card that it refers to, or left of one that refers to it. */
function besideLinked(scene: Scene, room: Room, card: number): Corner | undefined {
  const apartAcross = sizes.width + gap.across
  for (const link of linksOf(scene, card)) {
    const other = otherEnd(scene, link, card)
    const box = other === card ? undefined : room.box(other)
    if (!box) continue
    return { x: box.left + (scene.links.from[link] === card ? apartAcross : -apartAcross), y: box.top }
  }
  return undefined
}
