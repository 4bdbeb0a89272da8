import { card as sizes, type Box } from '../geometry.ts'
import { headings, isAcross, signOf, type Heading, type Hit, type Obstacles } from './obstacles.ts'
import { heightsOf, stub } from './route.ts'

/** What a turn costs, in pixels of length. */
const bend = 70
/** How near to a card a line turns, and how near it passes one if there is another way. */
const margin = 16
const distance = 7
const opposite = 2

/** A place where a line leaves or enters a card. */
type Port = { x: number; y: number; heading: Heading; stub: number }

/** A ray that begins at a turn; `blocker` is the card that made the line turn there. */
type Step = {
  x: number
  y: number
  heading: Heading
  cost: number
  estimate: number
  previous: Step | undefined
  blocker: number
}

/** Coordinates at which lines may turn besides those that the search finds by itself; sorted. */
export type Turns = { x: readonly number[]; y: readonly number[] }

type Question = { obstacles: Obstacles; link: number; turns?: Turns; most: number }

/**
 * The cheapest line from a link's row to its target's head, as corners x, y, x, y …; undefined if the search gives up. From
 * each turn a ray runs until a card stops it. Lines turn before that card, beyond the edges of the card that made them turn, and
 * level with the target: few steps, however far the cards are apart.
 */
export function searchLine({ obstacles, link, turns, most }: Question): number[] | undefined {
  const search = new LineSearch(obstacles, link, turns)
  for (let expanded = 0; expanded < most; expanded++) {
    const line = search.expand()
    if (line !== 'more') return line
  }
  return undefined
}

class LineSearch {
  readonly #obstacles: Obstacles
  readonly #turns: Turns | undefined
  readonly #distance: number
  readonly #source: number
  readonly #target: number
  readonly #starts: readonly Port[]
  readonly #goals: readonly Port[]
  readonly #heap = new Heap()
  readonly #costs: readonly Map<number, number>[] = [new Map(), new Map(), new Map(), new Map()]
  readonly #area: Box
  /** How much more the rest of the line weighs than what is behind: far cards need a line soon rather than the cheapest. */
  readonly #haste: number

  constructor(obstacles: Obstacles, link: number, turns: Turns | undefined) {
    this.#obstacles = obstacles
    this.#turns = turns
    this.#distance = turns ? 0 : distance
    this.#source = obstacles.scene.links.from[link]!
    this.#target = obstacles.scene.links.to[link]!
    const heights = heightsOf(obstacles.scene, obstacles.places, link)
    this.#starts = this.#ports(this.#source, heights.from)
    this.#goals = this.#ports(this.#target, heights.to)
    const [a, b] = [obstacles.box(this.#source), obstacles.box(this.#target)]
    const room = 3000
    this.#area = {
      left: Math.min(a.left, b.left) - room,
      right: Math.max(a.right, b.right) + room,
      top: Math.min(a.top, b.top) - room,
      bottom: Math.max(a.bottom, b.bottom) + room,
    }
    const far = Math.abs(a.left - b.left) + Math.abs(a.top - b.top)
    this.#haste = Math.min(2, Math.max(1.1, far / 4000))
    for (const { x, y, heading } of this.#starts) this.#push(x, y, heading, 0, undefined, this.#source)
  }

  #ports(card: number, y: number): Port[] {
    const left = this.#obstacles.places.x[card]!
    const port = (x: number, heading: Heading): Port => {
      const { at } = this.#obstacles.shoot(x, y, heading, x + signOf(heading) * 2 * stub)
      return { x, y, heading, stub: Math.abs(at - x) / 2 }
    }
    return [port(left + sizes.width, headings.right), port(left, headings.left)]
  }

  #push(x: number, y: number, heading: Heading, cost: number, previous: Step | undefined, blocker: number): void {
    const costs = this.#costs[heading]!
    const key = Math.round(x * 2) * 2 ** 26 + Math.round(y * 2)
    const known = costs.get(key)
    if (known !== undefined && known <= cost) return
    costs.set(key, cost)
    this.#heap.push({
      x,
      y,
      heading,
      cost,
      previous,
      blocker,
      estimate: cost + this.#haste * this.#rest(x, y, heading),
    })
  }

  /** At least what the rest of the line costs. */
  #rest(x: number, y: number, heading: Heading): number {
    let least = Infinity
    for (const goal of this.#goals) {
      const enter = (goal.heading + opposite) % 4
      const ahead = (goal.x - x) * signOf(goal.heading) <= 0
      const straight = heading === enter && y === goal.y && ahead
      const bends = straight ? 0 : isAcross(heading) ? 2 : 1
      const back = ahead ? 0 : 2 * goal.stub
      least = Math.min(least, Math.abs(goal.x - x) + Math.abs(goal.y - y) + back + bends * bend)
    }
    return least
  }

  expand(): number[] | undefined | 'more' {
    const step = this.#heap.pop()
    if (!step) return undefined
    const { x, y, heading } = step
    const { left, right, top, bottom } = this.#area
    const limit = [right, bottom, left, top][heading]!
    const hit = this.#obstacles.shoot(x, y, heading, limit, this.#distance)
    const start = step.previous ? undefined : this.#starts.find(port => port.heading === heading)
    const goal = this.#goals.find(port => port.y === y && port.heading === (heading + opposite) % 4)
    if (goal && hit.card === this.#target && Math.abs(goal.x - x) >= goal.stub) return cornersOf(step, goal)
    for (const [at, blocker] of this.#stops(step, hit, start)) this.#turn(step, at, blocker)
    return 'more'
  }

  /** Where the ray of a step may turn, with the cards that make it. */
  #stops(step: Step, hit: Hit, start: Port | undefined): [number, number][] {
    const across = isAcross(step.heading)
    const sign = signOf(step.heading)
    const from = across ? step.x : step.y
    const least = (start ? from + sign * start.stub : from) * sign
    const most = hit.at * sign
    const stops: [number, number][] = []
    const add = (at: number, blocker: number) => {
      if (at * sign >= least && at * sign <= most && (start !== undefined || at !== from)) stops.push([at, blocker])
    }
    if (start) add(from + sign * start.stub, this.#source)
    for (const goal of this.#goals) add(across ? goal.x + signOf(goal.heading) * goal.stub : goal.y, -1)
    if (step.blocker >= 0) add(this.#beyond(step, hit), -1)
    if (hit.card >= 0) add(hit.at - sign * Math.min(margin - this.#distance, (most - least) / 2), hit.card)
    if (this.#turns) for (const at of between(across ? this.#turns.x : this.#turns.y, from, hit.at)) add(at, hit.card)
    return stops
  }

  /** Past the edge of the card in the way, or halfway to the next one. */
  #beyond({ heading, blocker }: Step, hit: Hit): number {
    const sign = signOf(heading)
    const { left, right, top, bottom } = this.#obstacles.box(blocker)
    const edge = [right, bottom, left, top][heading]!
    const gap = Math.max(0, (hit.at - edge) * sign)
    return edge + sign * (hit.card < 0 ? margin : Math.min(margin, gap / 2))
  }

  #turn(step: Step, at: number, blocker: number): void {
    const across = isAcross(step.heading)
    const [x, y] = across ? [at, step.y] : [step.x, at]
    const cost = step.cost + Math.abs(at - (across ? step.x : step.y)) + bend
    const [one, other] = across ? [headings.up, headings.down] : [headings.left, headings.right]
    this.#push(x, y, one, cost, step, blocker)
    this.#push(x, y, other, cost, step, blocker)
  }
}

function cornersOf(last: Step, goal: Port): number[] {
  const corners = [goal.x, goal.y]
  for (let step: Step | undefined = last; step; step = step.previous) {
    const [x, y, nextX, nextY] = [step.x, step.y, corners[0], corners[1]]
    // Where there is no room at a card, the line turns at once.
    if (x === nextX && y === nextY) continue
    const isStraight = (x === nextX && x === corners[2]) || (y === nextY && y === corners[3])
    if (isStraight) corners.splice(0, 2)
    corners.unshift(x, y)
  }
  return corners
}

/** Those of sorted numbers that lie between two others. */
function between(sorted: readonly number[], one: number, other: number): readonly number[] {
  const [low, high] = one < other ? [one, other] : [other, one]
  return sorted.slice(firstFrom(sorted, low), firstFrom(sorted, high + 0.001))
}

function firstFrom(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Steps by their estimate, least first. */
class Heap {
  readonly #steps: Step[] = []

  push(step: Step): void {
    const steps = this.#steps
    let at = steps.length
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (steps[parent]!.estimate <= step.estimate) break
      steps[at] = steps[parent]!
      at = parent
    }
    steps[at] = step
  }

  pop(): Step | undefined {
    const steps = this.#steps
    const [least, last] = [steps[0], steps.pop()]
    if (!last || steps.length === 0) return least
    let at = 0
    for (let child = 1; child < steps.length; child = 2 * at + 1) {
      if (child + 1 < steps.length && steps[child + 1]!.estimate < steps[child]!.estimate) child++
      if (steps[child]!.estimate >= last.estimate) break
      steps[at] = steps[child]!
      at = child
    }
    steps[at] = last
    return least
  }
}
