import { boxOf, grown, type Box } from '../geometry.ts'
import type { GridIndex } from '../grid-index.ts'
import type { Hidden, Places, Scene } from '../scene.ts'

/** Directions are numbers so that a search needs no objects: even ones go across, the next one is opposite. */
export const headings = { right: 0, down: 1, left: 2, up: 3 } as const
export type Heading = 0 | 1 | 2 | 3

export function isAcross(heading: Heading): boolean {
  return heading % 2 === 0
}

export function signOf(heading: Heading): 1 | -1 {
  return heading < 2 ? 1 : -1
}

/** The first card that a ray runs into; `card` -1: none before the limit, which is then `at`. */
export type Hit = { card: number; at: number }

/** How far a ray looks at once: about as far as the next card in most diagrams. */
const reach = 768

/** Cards as obstacles. Lines may run along their edges, but not through them. */
export class Obstacles {
  readonly scene: Scene
  readonly places: Places
  readonly #hidden: Hidden
  readonly #cards: GridIndex

  constructor(scene: Scene, places: Places, hidden: Hidden, cards: GridIndex) {
    this.scene = scene
    this.places = places
    this.#hidden = hidden
    this.#cards = cards
  }

  box(card: number): Box {
    return boxOf(this.scene, this.places, card)
  }

  /** Shown cards whose inside has a point in common with a box. */
  within(box: Box): number[] {
    const cards: number[] = []
    this.#cards.visit(box, card => {
      if (!this.#hidden.has(card) && cuts(this.box(card), box)) cards.push(card)
    })
    return cards
  }

  /**
   * Sends a ray from a point until it would come nearer to a card than `distance`, at most to the coordinate `limit`. To cards
   * that the point is near already it may stay as near, and cards around the point itself do not count.
   */
  shoot(x: number, y: number, heading: Heading, limit: number, distance = 0): Hit {
    const across = isAcross(heading)
    const sign = signOf(heading)
    const end = limit * sign
    const hit: Hit = { card: -1, at: end }
    for (let start = (across ? x : y) * sign; start < end && hit.card < 0; start += reach) {
      const [near, far] = [start * sign, Math.min(start + reach, end) * sign]
      const [low, high] = near < far ? [near, far] : [far, near]
      const strip = across
        ? { left: low, right: high, top: y, bottom: y }
        : { left: x, right: x, top: low, bottom: high }
      this.#cards.visit(grown(strip, distance), card => {
        const entry = this.#hidden.has(card) ? Infinity : this.#entry(card, x, y, heading, distance)
        if (entry < hit.at) {
          hit.card = card
          hit.at = entry
        }
      })
    }
    hit.at *= sign
    return hit
  }

  /** The coordinate along the heading, growing, at which a ray comes too near to a card; infinite if it does not. */
  #entry(card: number, x: number, y: number, heading: Heading, distance: number): number {
    const { left, right, top, bottom } = this.box(card)
    const isNear = x > left - distance && x < right + distance && y > top - distance && y < bottom + distance
    const room = isNear ? 0 : distance
    if (isAcross(heading)) {
      if (y <= top - room || y >= bottom + room) return Infinity
      if (heading === headings.right) return left >= x ? left - room : Infinity
      return right <= x ? -right - room : Infinity
    }
    if (x <= left - room || x >= right + room) return Infinity
    if (heading === headings.down) return top >= y ? top - room : Infinity
    return bottom <= y ? -bottom - room : Infinity
  }
}

/** Whether the open inside of a card meets a box, which may be as thin as a line. */
export function cuts(card: Box, { left, right, top, bottom }: Box): boolean {
  return left < card.right && right > card.left && top < card.bottom && bottom > card.top
}
