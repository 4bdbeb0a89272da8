import { around, boxOf, type Box } from '../geometry.ts'
import type { Places, Scene } from '../scene.ts'
import { layoutByAreas } from './by-areas.ts'
import type { LayoutInput } from './component.ts'
import { Room, type Corner } from './room.ts'

/** New places in which some cards are arranged about where they were, never upon others; all others stay. */
export function arrange(scene: Scene, places: Places, cards: Iterable<number>): Places {
  const chosen = [...new Set(cards)]
  const before = around(chosen.map(card => boxOf(scene, places, card)))
  const result = { x: places.x.slice(), y: places.y.slice() }
  const moves = arrangeBlock(scene, places, chosen, own => {
    const [old, now] = [middleOf(before ?? own), middleOf(own)]
    return { x: old.x - now.x, y: old.y - now.y }
  })
  for (const [card, { x, y }] of moves) {
    result.x[card] = x
    result.y[card] = y
  }
  return result
}

/** Corners of cards that are laid out by themselves and then shifted as a block, as near to `shiftOf` their bounds as there is room. */
export function arrangeBlock(
  scene: Scene,
  places: Places,
  cards: readonly number[],
  shiftOf: (bounds: Box) => Corner,
): Map<number, Corner> {
  const block = cards.toSorted((a, b) => a - b)
  const input = partOf(scene, block)
  const arranged = layoutByAreas(input)
  const boxes = block.map((_, index) => boxOf(input, arranged, index))
  const bounds = around(boxes)
  if (!bounds) return new Map()
  const shift = new Room(scene, places, block).nearest(boxes, shiftOf(bounds))
  return new Map(
    block.map((card, index) => [card, { x: arranged.x[index]! + shift.x, y: arranged.y[index]! + shift.y }]),
  )
}

function middleOf({ left, top, right, bottom }: Box): Corner {
  return { x: Math.round((left + right) / 2), y: Math.round((top + bottom) / 2) }
}

/** A scene of some cards only, and of the links between them. */
function partOf({ areas, rowCounts, links }: Scene, cards: readonly number[]): LayoutInput {
  const index = new Map(cards.map((card, position) => [card, position]))
  const inner = Array.from({ length: links.count }, (_, link) => link).filter(
    link => index.has(links.from[link]!) && index.has(links.to[link]!),
  )
  return {
    count: cards.length,
    areas: Int32Array.from(cards, card => areas[card]!),
    rowCounts: Int32Array.from(cards, card => rowCounts[card]!),
    links: {
      count: inner.length,
      from: Int32Array.from(inner, link => index.get(links.from[link]!)!),
      to: Int32Array.from(inner, link => index.get(links.to[link]!)!),
      row: Int32Array.from(inner, link => links.row[link]!),
    },
  }
}
