import { boxOf, type Point } from '@cadmus/diagram/geometry'
import { linksOf } from '@cadmus/diagram/ways'
import type { Hidden, Places, Scene } from '@cadmus/diagram/scene'

export type Direction = 'left' | 'right' | 'up' | 'down'

/** Cards as they are placed and shown. */
export type Placed = { scene: Scene; places: Places; hidden: Hidden }

/** Distance across the direction counts more, so that arrow keys follow rows and columns. */
const sideways = 2

function middleOf({ scene, places }: Placed, card: number): Point {
  const { left, top, right, bottom } = boxOf(scene, places, card)
  return { x: (left + right) / 2, y: (top + bottom) / 2 }
}

const ahead: Record<Direction, (x: number, y: number) => readonly [along: number, across: number]> = {
  left: (x, y) => [-x, y],
  right: (x, y) => [x, y],
  up: (x, y) => [-y, x],
  down: (x, y) => [y, x],
}

/** The card nearest to `from` that way; undefined: none. Only cards within 45° of the direction count, unless there are none. */
export function nearestCard(placed: Placed, from: number, direction: Direction): number | undefined {
  const start = middleOf(placed, from)
  let best: number | undefined
  let least = Infinity
  for (let card = 0; card < placed.scene.count; card++) {
    if (card === from || placed.hidden.has(card)) continue
    const { x, y } = middleOf(placed, card)
    const [along, across] = ahead[direction](x - start.x, y - start.y)
    if (along <= 0) continue
    const steep = Math.abs(across) > along ? far : 0
    const distance = along + sideways * Math.abs(across) + steep
    if (distance < least) [best, least] = [card, distance]
  }
  return best
}

/** Farther than anything within 45°: coordinates are within ten million. */
const far = 1e9

/** The shown card whose middle is nearest to a point. */
export function cardNear(placed: Placed, point: Point): number | undefined {
  let best: number | undefined
  let least = Infinity
  for (let card = 0; card < placed.scene.count; card++) {
    if (placed.hidden.has(card)) continue
    const { x, y } = middleOf(placed, card)
    const distance = Math.hypot(x - point.x, y - point.y)
    if (distance < least) [best, least] = [card, distance]
  }
  return best
}

/** A card's place in relation to the shown card nearest to it, for announcements: "right of Order". */
export type Beside = { side: Direction; of: number }

/** `except`: cards that move together with it. */
export function besideOf(placed: Placed, card: number, except: ReadonlySet<number> = new Set()): Beside | undefined {
  const start = middleOf(placed, card)
  const others = { ...placed, hidden: new Set([...placed.hidden, card, ...except]) }
  const of = cardNear(others, start)
  if (of === undefined) return undefined
  const { x, y } = middleOf(placed, of)
  const [right, below] = [start.x - x, start.y - y]
  const side = Math.abs(right) > Math.abs(below) ? (right < 0 ? 'left' : 'right') : below < 0 ? 'up' : 'down'
  return { side, of }
}

/** A link of a card to another shown card. */
export type Neighbour = { card: number; link: number; isReferredTo: boolean }

/** Links of a card: first those to what it refers to, then those of cards that refer to it. A self reference is there once. */
export function linksInOrder(scene: Scene, card: number): number[] {
  const isOwn = (link: number) => scene.links.from[link] === card
  const links = linksOf(scene, card)
  return [...links.filter(isOwn), ...links.filter(link => !isOwn(link))]
}

/** The shown cards linked with a card, in the order of its links. */
export function neighboursOf({ scene, hidden }: Pick<Placed, 'scene' | 'hidden'>, card: number): Neighbour[] {
  const { from, to } = scene.links
  return linksInOrder(scene, card).flatMap(link => {
    const isReferredTo = from[link] === card
    const other = (isReferredTo ? to : from)[link]!
    return other === card || hidden.has(other) ? [] : [{ card: other, link, isReferredTo }]
  })
}

/** A walk with `[` and `]` through the neighbours of the card where it began. */
export type Walk = { start: number; at: number }

/** The next linked card, wrapping around; undefined: the card has no links. A walk goes on while its card is the focused one. */
export function walked(
  placed: Pick<Placed, 'scene' | 'hidden'>,
  focused: number,
  walk: Walk | null,
  step: 1 | -1,
): (Walk & { to: Neighbour; count: number }) | undefined {
  const continued = walk && neighboursOf(placed, walk.start)[walk.at]?.card === focused ? walk : null
  const start = continued?.start ?? focused
  const neighbours = neighboursOf(placed, start)
  const count = neighbours.length
  const at = continued ? (continued.at + step + count) % count : step === 1 ? 0 : count - 1
  const to = neighbours[at]
  return to && { start, at, to, count }
}
