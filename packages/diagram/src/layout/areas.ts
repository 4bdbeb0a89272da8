import { aspect } from './columns.ts'
import type { Size } from './block.ts'

/** Room around each area, with its name above it. */
const margin = { across: 80, down: 80, name: 80 } as const
/** About how many cells all areas cover together. */
const cellsInAll = 4000
/** How many cells all searches may look at before the rest is placed below everything else. */
const mostLooks = 4_000_000

/** Sizes and places in cells. */
type Room = { across: number; down: number }
type Cell = { column: number; row: number }

export type AreaTie = { area: number; weight: number }

/**
 * Left upper corners for boxes of these sizes, none upon another: the most linked one first, each next one as near as there is room
 * to those that it is linked with.
 */
export function placeAreas(sizes: readonly Size[], ties: readonly (readonly AreaTie[])[]): { x: number; y: number }[] {
  const boxes = sizes.map(({ width, height }) => ({
    width: width + 2 * margin.across,
    height: height + 2 * margin.down + margin.name,
  }))
  const ground = boxes.reduce((sum, { width, height }) => sum + width * height, 0)
  const cell = Math.max(40, Math.sqrt(ground / aspect / cellsInAll))
  const cells = boxes.map(({ width, height }) => ({
    across: Math.ceil(width / (cell * aspect)),
    down: Math.ceil(height / cell),
  }))
  // Wanted nearer to the middle than between the linked ones: chains of few areas would make a long picture.
  const inwards = 1 + 1 / Math.sqrt(sizes.length)
  const floor = new Floor(cells)
  const places: (Cell | undefined)[] = sizes.map(() => undefined)
  for (const area of orderOf(cells, ties)) {
    const room = cells[area]!
    const near = ties[area]!.flatMap(({ area: other, weight }) => {
      const place = places[other]
      return place
        ? [{ weight, column: place.column + cells[other]!.across / 2, row: place.row + cells[other]!.down / 2 }]
        : []
    })
    const weights = (near.reduce((sum, { weight }) => sum + weight, 0) || 1) * inwards
    const column = near.reduce((sum, one) => sum + one.column * one.weight, 0) / weights - room.across / 2
    const row = near.reduce((sum, one) => sum + one.row * one.weight, 0) / weights - room.down / 2
    places[area] = floor.take(Math.round(column), Math.round(row), room)
  }
  return places.map(place => ({
    x: Math.round(place!.column * cell * aspect) + margin.across,
    y: Math.round(place!.row * cell) + margin.down + margin.name,
  }))
}

/** The most linked area first, then always the one with the most links to those before it. */
function orderOf(sizes: readonly Room[], ties: readonly (readonly AreaTie[])[]): number[] {
  const order: number[] = []
  const done = new Uint8Array(sizes.length)
  const pulls = new Float64Array(sizes.length)
  const totals = ties.map(list => list.reduce((sum, { weight }) => sum + weight, 0))
  const sizeOf = (area: number) => sizes[area]!.across * sizes[area]!.down
  const starts = sizes
    .map((_, area) => area)
    .toSorted((a, b) => totals[b]! - totals[a]! || sizeOf(b) - sizeOf(a) || a - b)
  const waiting = new Set<number>()
  const add = (area: number) => {
    done[area] = 1
    waiting.delete(area)
    order.push(area)
    for (const { area: other, weight } of ties[area]!) {
      pulls[other]! += weight
      if (!done[other]) waiting.add(other)
    }
  }
  for (const start of starts) {
    if (done[start]) continue
    add(start)
    while (waiting.size > 0) {
      let next = -1
      for (const area of waiting) if (next < 0 || pulls[area]! > pulls[next]!) next = area
      add(next)
    }
  }
  return order
}

/** A bounded ground whose cells are taken one room after the other. */
class Floor {
  readonly #side: number
  readonly #taken: Uint8Array
  #looks = 0
  #bottom = 0

  constructor(rooms: readonly Room[]) {
    const total = rooms.reduce((sum, { across, down }) => sum + across * down, 0)
    const longest = rooms.reduce((most, { across, down }) => Math.max(most, across, down), 0)
    this.#side = 4 * Math.ceil(Math.sqrt(total)) + 2 * longest
    this.#taken = new Uint8Array(this.#side ** 2)
  }

  /** The free room of this size nearest to a place. */
  take(column: number, row: number, room: Room): Cell {
    for (let ring = 0; ring < this.#side && this.#looks < mostLooks; ring++)
      // Those nearest to the axes first.
      for (let step = 0; step <= ring; step++)
        for (let corner = 0; corner < 8; corner++) {
          const [along, out] = [corner & 1 ? -step : step, corner & 2 ? -ring : ring]
          const x = column + (corner & 4 ? along : out)
          const y = row + (corner & 4 ? out : along)
          if (this.#isFree(x, y, room)) return this.#mark(x, y, room)
        }
    return this.#mark(0, this.#bottom, room)
  }

  #isFree(column: number, row: number, { across, down }: Room): boolean {
    const half = this.#side / 2
    this.#looks++
    if (Math.min(column, row) < -half || Math.max(column + across, row + down) > half) return false
    // Corners first: most rooms that are not free have one taken.
    if (this.#taken[this.#at(column, row)] || this.#taken[this.#at(column + across - 1, row + down - 1)]) return false
    this.#looks += across * down
    for (let y = row; y < row + down; y++) {
      const start = this.#at(column, y)
      for (let at = start; at < start + across; at++) if (this.#taken[at]) return false
    }
    return true
  }

  #mark(column: number, row: number, { across, down }: Room): Cell {
    this.#bottom = Math.max(this.#bottom, row + down)
    for (let y = row; y < Math.min(row + down, this.#side / 2); y++) {
      const start = this.#at(column, y)
      this.#taken.fill(1, start, start + across)
    }
    return { column, row }
  }

  #at(column: number, row: number): number {
    return (row + this.#side / 2) * this.#side + column + this.#side / 2
  }
}
