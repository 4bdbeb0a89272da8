import { boxOf, card as sizes, grown, overlap, type Box } from '../geometry.ts'
import { indexCards, type GridIndex } from '../grid-index.ts'
import type { Places, Scene } from '../scene.ts'
import { gap } from './component.ts'

export type Corner = { x: number; y: number }

/** Room left between a card that is placed and those around it. */
const clearance = 24

/** Cards that stand where they are, while a place is searched for others. */
export class Room {
  readonly #scene: Scene
  readonly #places: Places
  readonly #waiting: Set<number>
  readonly #index: GridIndex

  /** `waiting` have no place yet. */
  constructor(scene: Scene, places: Places, waiting: Iterable<number>) {
    this.#scene = scene
    this.#places = { x: places.x.slice(), y: places.y.slice() }
    this.#waiting = new Set(waiting)
    this.#index = indexCards(scene, this.#places)
  }

  /** The box of a card that has a place. */
  box(card: number): Box | undefined {
    return this.#waiting.has(card) ? undefined : boxOf(this.#scene, this.#places, card)
  }

  place(card: number, { x, y }: Corner): void {
    this.#places.x[card] = x
    this.#places.y[card] = y
    this.#waiting.delete(card)
    this.#index.move(card, boxOf(this.#scene, this.#places, card))
  }

  isFree(box: Box): boolean {
    const wide = grown(box, clearance)
    let free = true
    this.#index.visit(wide, card => {
      free &&= this.#waiting.has(card) || !overlap(wide, boxOf(this.#scene, this.#places, card))
    })
    return free
  }

  /** The free corner nearest to a given one for boxes that keep their places to each other. */
  nearest(boxes: readonly Box[], { x: left, y: top }: Corner): Corner {
    const [across, down] = [(sizes.width + gap.across) / 2, 60]
    for (let ring = 0; ; ring++)
      for (const { x, y } of ringOf(ring)) {
        const corner = { x: left + x * across, y: top + y * down }
        if (boxes.every(box => this.isFree(shifted(box, corner)))) return corner
      }
  }
}

function shifted({ left, top, right, bottom }: Box, { x, y }: Corner): Box {
  return { left: left + x, top: top + y, right: right + x, bottom: bottom + y }
}

/** Steps around a place whose distance, counted in steps across and down, is `ring`. */
function ringOf(ring: number): Corner[] {
  const steps: Corner[] = []
  for (let x = -ring; x <= ring; x++) {
    const y = ring - Math.abs(x)
    steps.push({ x, y })
    if (y > 0) steps.push({ x, y: -y })
  }
  // Below and to the right first: pictures grow that way.
  return steps.toSorted((a, b) => b.y + b.x - a.y - a.x || b.x - a.x)
}
