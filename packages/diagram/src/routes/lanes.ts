import type { Obstacles } from './obstacles.ts'
import type { Route } from './route.ts'

/** How far lines that run beside each other are apart, and from cards. */
const lane = 8
const margin = 12
/** How far a part of a line may be pushed aside. */
const push = 72
const strip = 64
const stretch = 1024

/** A part of a line: at `at` across its direction, from `low` to `high` along it. */
type Part = { upright: boolean; at: number; low: number; high: number }
type Used = Part & { link: number }

/** Which lanes lines use, so that no two run upon each other. */
export class Lanes {
  readonly #used = new Map<number, Used[]>()

  add(link: number, route: Route): void {
    for (const part of partsOf(route)) {
      const used = { ...part, link }
      for (const key of keysOf(part)) {
        const others = this.#used.get(key)
        if (others) others.push(used)
        else this.#used.set(key, [used])
      }
    }
  }

  remove(link: number, route: Route): void {
    for (const part of partsOf(route))
      for (const key of keysOf(part)) {
        const rest = this.#used.get(key)?.filter(used => used.link !== link) ?? []
        if (rest.length > 0) this.#used.set(key, rest)
        else this.#used.delete(key)
      }
  }

  isFree({ upright, at, low, high }: Part): boolean {
    for (const row of new Set([at - lane, at + lane].map(rowOf)))
      for (const key of keysOf({ upright, at, low, high }, row))
        for (const used of this.#used.get(key) ?? [])
          if (Math.abs(used.at - at) < lane - 1 && used.low < high && low < used.high) return false
    return true
  }

  /** Pushes the inner parts of a line, corners as x, y, x, y …, into free lanes between the cards beside them. */
  spread(line: number[], obstacles: Obstacles): void {
    for (let corner = 1; corner + 2 < line.length / 2; corner++) {
      const part = partAt(line, corner)
      const at = this.#laneFor(part, corridorOf(part, obstacles))
      const across = part.upright ? 0 : 1
      line[2 * corner + across] = at
      line[2 * corner + 2 + across] = at
    }
  }

  #laneFor(part: Part, { low, high }: { low: number; high: number }): number {
    const first = Math.min(Math.max(part.at, low), high)
    for (let step = 0; step * lane <= 2 * push; step++) {
      const candidates = step === 0 ? [first] : [first + step * lane, first - step * lane]
      for (const at of candidates) if (at >= low && at <= high && this.isFree({ ...part, at })) return at
    }
    return first
  }
}

/** Between which places a part may be pushed without coming into a card, with room left to each where there is some. */
function corridorOf({ upright, at, low, high }: Part, obstacles: Obstacles): { low: number; high: number } {
  const box = upright
    ? { left: at - push - margin, right: at + push + margin, top: low, bottom: high }
    : { left: low, right: high, top: at - push - margin, bottom: at + push + margin }
  let [least, most] = upright ? [box.left, box.right] : [box.top, box.bottom]
  for (const card of obstacles.within(box)) {
    const { left, right, top, bottom } = obstacles.box(card)
    const [near, far] = upright ? [left, right] : [top, bottom]
    if (far <= at) least = Math.max(least, far)
    else if (near >= at) most = Math.min(most, near)
    else return { low: at, high: at }
  }
  const room = Math.min(margin, (most - least) / 2)
  return { low: least + room, high: most - room }
}

function partAt(line: ArrayLike<number>, corner: number): Part {
  const [x, y, endX, endY] = [line[2 * corner]!, line[2 * corner + 1]!, line[2 * corner + 2]!, line[2 * corner + 3]!]
  const upright = x === endX
  const [one, other] = upright ? [y, endY] : [x, endX]
  return { upright, at: upright ? x : y, low: Math.min(one, other), high: Math.max(one, other) }
}

function* partsOf(route: Route): Iterable<Part> {
  for (let corner = 0; corner + 1 < route.length / 2; corner++) yield partAt(route, corner)
}

function rowOf(at: number): number {
  return Math.floor(at / strip)
}

function* keysOf({ upright, at, low, high }: Part, row = rowOf(at)): Iterable<number> {
  for (let along = Math.floor(low / stretch), end = Math.floor(high / stretch); along <= end; along++)
    yield ((row + 2 ** 19) * 2 ** 16 + (along + 2 ** 15)) * 2 + (upright ? 1 : 0)
}
