import { around, boxOf, overlap, type Box } from './geometry.ts'
import type { Places, Scene } from './scene.ts'

const cell = 512

/** Beyond this many cells an item is compared by its box with every search instead: one far card must not cost megabytes. */
const mostCells = 4096

type Entries = { keys: number[]; items: number[]; wide: Map<number, Box> }

/**
 * Finds items by box. Cells of a grid are hashed, so that the room that the items span costs nothing. What moves after the
 * index was built is listed apart, by cells as well.
 */
export class GridIndex {
  readonly #count: number
  readonly #mask: number
  readonly #starts: Uint32Array
  readonly #keys: Uint32Array
  readonly #items: Uint32Array
  readonly #wide: ReadonlyMap<number, Box>
  readonly #moved = new Map<number, readonly Box[]>()
  readonly #movedByCell = new Map<number, number[]>()
  readonly #movedWide = new Set<number>()
  readonly #visited: Uint32Array
  #visit = 0

  /** `boxes` reports every box that an item covers, for instance each part of a line. */
  constructor(count: number, boxes: (item: number, cover: (box: Box) => void) => void) {
    const entries = entriesOf(count, boxes)
    const { keys, items } = entries
    const buckets = 2 ** Math.ceil(Math.log2(keys.length + 2))
    this.#count = count
    this.#mask = buckets - 1
    this.#wide = entries.wide
    this.#visited = new Uint32Array(count)
    const ends = new Uint32Array(buckets + 1)
    for (const key of keys) ends[hashOf(key, this.#mask) + 1]!++
    for (let bucket = 0; bucket < buckets; bucket++) ends[bucket + 1]! += ends[bucket]!
    this.#starts = ends.slice()
    this.#keys = new Uint32Array(keys.length)
    this.#items = new Uint32Array(keys.length)
    for (let entry = 0; entry < keys.length; entry++) {
      const at = ends[hashOf(keys[entry]!, this.#mask)]!++
      this.#keys[at] = keys[entry]!
      this.#items[at] = items[entry]!
    }
  }

  /** From now on an item covers these boxes only. */
  move(item: number, to: Box | readonly Box[] | undefined): void {
    const boxes = [to ?? []].flat()
    for (const key of keysOf(this.#moved.get(item) ?? [])) {
      const rest = this.#movedByCell.get(key)?.filter(other => other !== item) ?? []
      if (rest.length > 0) this.#movedByCell.set(key, rest)
      else this.#movedByCell.delete(key)
    }
    this.#moved.set(item, boxes)
    if (boxes.some(isWide)) this.#movedWide.add(item)
    else this.#movedWide.delete(item)
    for (const key of keysOf(boxes)) {
      const items = this.#movedByCell.get(key)
      if (items) items.push(item)
      else this.#movedByCell.set(key, [item])
    }
  }

  /** How many items moved since the index was built. */
  get moved(): number {
    return this.#moved.size
  }

  /** Items that may touch a box, each once, in no order; all of them for a box with more cells than items cover. */
  search(box: Box): number[] {
    const items: number[] = []
    this.visit(box, item => items.push(item))
    return items
  }

  /** As `search`, without a list. Visits must not be nested. */
  visit(box: Box, each: (item: number) => void): void {
    const [left, right] = [cellOf(box.left), cellOf(box.right)]
    const [top, bottom] = [cellOf(box.top), cellOf(box.bottom)]
    if ((right - left + 1) * (bottom - top + 1) > this.#starts.length) {
      for (let item = 0; item < this.#count; item++) if (this.#moved.get(item)?.length !== 0) each(item)
      return
    }
    this.#visit++
    for (let row = top; row <= bottom; row++)
      for (let column = left; column <= right; column++) this.#visitCell(keyOf(column, row), each)
    for (const [item, wide] of this.#wide) if (!this.#moved.has(item) && touch(wide, box)) this.#visitOnce(item, each)
    for (const item of this.#movedWide) this.#visitOnce(item, each)
  }

  #visitCell(key: number, each: (item: number) => void): void {
    const bucket = hashOf(key, this.#mask)
    for (let at = this.#starts[bucket]!, end = this.#starts[bucket + 1]!; at < end; at++)
      if (this.#keys[at] === key && !(this.#moved.size > 0 && this.#moved.has(this.#items[at]!)))
        this.#visitOnce(this.#items[at]!, each)
    if (this.#movedByCell.size > 0) for (const item of this.#movedByCell.get(key) ?? []) this.#visitOnce(item, each)
  }

  #visitOnce(item: number, each: (item: number) => void): void {
    if (this.#visited[item] === this.#visit) return
    this.#visited[item] = this.#visit
    each(item)
  }
}

export function indexCards(scene: Scene, places: Places): GridIndex {
  return new GridIndex(scene.count, (item, cover) => cover(boxOf(scene, places, item)))
}

/** Cards of which some part lies within a box. */
export function cardsWithin(scene: Scene, places: Places, cards: GridIndex, box: Box): number[] {
  return cards.search(box).filter(item => overlap(boxOf(scene, places, item), box))
}

function entriesOf(count: number, boxes: (item: number, cover: (box: Box) => void) => void): Entries {
  const entries: Entries = { keys: [], items: [], wide: new Map() }
  for (let item = 0; item < count; item++) boxes(item, box => addEntries(entries, item, box))
  return entries
}

function addEntries({ keys, items, wide }: Entries, item: number, box: Box): void {
  if (isWide(box)) wide.set(item, around([wide.get(item) ?? box, box])!)
  else
    for (const key of keysOf([box])) {
      keys.push(key)
      items.push(item)
    }
}

function isWide({ left, top, right, bottom }: Box): boolean {
  const cells = (cellOf(right) - cellOf(left) + 1) * (cellOf(bottom) - cellOf(top) + 1)
  return !(cells <= mostCells)
}

/** Keys of the cells that boxes cover, without wide ones. */
function keysOf(boxes: readonly Box[]): number[] {
  const keys: number[] = []
  for (const box of boxes) {
    if (isWide(box)) continue
    for (let row = cellOf(box.top), last = cellOf(box.bottom); row <= last; row++)
      for (let column = cellOf(box.left), end = cellOf(box.right); column <= end; column++)
        keys.push(keyOf(column, row))
  }
  return keys
}

function cellOf(position: number): number {
  return Math.floor(position / cell)
}

/** Unique within ±16 million pixels; farther cells share keys, which only makes searches less exact. */
function keyOf(column: number, row: number): number {
  return (((column & 0xff_ff) << 16) | (row & 0xff_ff)) >>> 0
}

function hashOf(key: number, mask: number): number {
  const mixed = Math.imul(key, 0x9e_37_79_b1)
  return ((mixed ^ (mixed >>> 15)) >>> 0) & mask
}

function touch(a: Box, b: Box): boolean {
  return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom
}
