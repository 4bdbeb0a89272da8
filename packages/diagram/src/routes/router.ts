import { grown, type Box } from '../geometry.ts'
import type { GridIndex } from '../grid-index.ts'
import type { Hidden, Places, Scene } from '../scene.ts'
import { Lanes } from './lanes.ts'
import { Obstacles } from './obstacles.ts'
import { directRoute, heightsOf, looped, stub, type Route } from './route.ts'
import { searchLine, type Turns } from './search.ts'

/** A thorough search considers every edge of the cards around; beyond this many it would hold up the picture. */
const mostAround = 120

/**
 * Leads links around cards, one by one and each once, so that a page can route a few between two frames. Places and the index of
 * cards belong to the caller, who reports what has moved by `forget`.
 */
export class Router {
  readonly #obstacles: Obstacles
  readonly #lanes = new Lanes()
  readonly #routes = new Map<number, Route>()

  constructor(scene: Scene, places: Places, hidden: Hidden, cards: GridIndex) {
    this.#obstacles = new Obstacles(scene, places, hidden, cards)
  }

  /** The route of a link if it was led around cards already. */
  existing(link: number): Route | undefined {
    return this.#routes.get(link)
  }

  route(link: number): Route {
    const existing = this.#routes.get(link)
    if (existing) return existing
    const route = this.#lead(link)
    this.#routes.set(link, route)
    this.#lanes.add(link, route)
    return route
  }

  /** Forgets the routes from, to and near cards that moved, and returns these links. `boxes`: where the cards were and are. */
  forget(cards: ReadonlySet<number>, boxes: readonly Box[]): number[] {
    const { from, to } = this.#obstacles.scene.links
    const around = boxes.map(box => grown(box, stub))
    const links: number[] = []
    for (const [link, route] of this.#routes) {
      const moved = cards.has(from[link]!) || cards.has(to[link]!)
      if (!moved && !around.some(box => touches(route, box))) continue
      this.#lanes.remove(link, route)
      this.#routes.delete(link)
      links.push(link)
    }
    return links
  }

  #lead(link: number): Route {
    const { scene, places } = this.#obstacles
    const isLoop = scene.links.from[link] === scene.links.to[link]
    const line = isLoop ? this.#loop(link) : this.#search(link)
    if (!line) return directRoute(scene, places, link)
    this.#lanes.spread(line, this.#obstacles)
    return Float64Array.from(line)
  }

  #search(link: number): number[] | undefined {
    const quick = searchLine({ obstacles: this.#obstacles, link, most: 1000 })
    return quick ?? this.#searchThoroughly(link)
  }

  #searchThoroughly(link: number): number[] | undefined {
    const { scene } = this.#obstacles
    const [a, b] = [scene.links.from[link]!, scene.links.to[link]!].map(card => this.#obstacles.box(card))
    const both = {
      left: Math.min(a!.left, b!.left),
      top: Math.min(a!.top, b!.top),
      right: Math.max(a!.right, b!.right),
      bottom: Math.max(a!.bottom, b!.bottom),
    }
    for (const room of [600, 2400]) {
      const around = this.#obstacles.within(grown(both, room))
      if (around.length > mostAround) return undefined
      const boxes = around.map(card => this.#obstacles.box(card))
      const turns: Turns = {
        x: sorted(boxes.flatMap(box => [box.left, box.right])),
        y: sorted(boxes.flatMap(box => [box.top, box.bottom])),
      }
      const line = searchLine({ obstacles: this.#obstacles, link, turns, most: 20_000 })
      if (line) return line
    }
    return undefined
  }

  /** Beside the card, on the side with more room. */
  #loop(link: number): number[] {
    const { scene, places } = this.#obstacles
    const heights = heightsOf(scene, places, link)
    const { left, right } = this.#obstacles.box(scene.links.from[link]!)
    const [rightRoom, leftRoom] = [this.#roomBeside(right, 1, heights), this.#roomBeside(left, -1, heights)]
    return rightRoom >= leftRoom ? looped(right, rightRoom / 2, heights) : looped(left, -leftRoom / 2, heights)
  }

  #roomBeside(side: number, sign: 1 | -1, { from, to }: { from: number; to: number }): number {
    const out = side + sign * 2 * stub
    const strip = {
      left: Math.min(side, out),
      right: Math.max(side, out),
      top: Math.min(from, to),
      bottom: Math.max(from, to),
    }
    let room = 2 * stub
    for (const card of this.#obstacles.within(strip)) {
      const box = this.#obstacles.box(card)
      room = Math.min(room, Math.max(0, sign === 1 ? box.left - side : side - box.right))
    }
    return room
  }
}

function touches(route: Route, box: Box): boolean {
  for (let at = 0; at + 3 < route.length; at += 2) {
    const [x, y, endX, endY] = [route[at]!, route[at + 1]!, route[at + 2]!, route[at + 3]!]
    if (
      Math.max(x, endX) >= box.left &&
      Math.min(x, endX) <= box.right &&
      Math.max(y, endY) >= box.top &&
      Math.min(y, endY) <= box.bottom
    )
      return true
  }
  return false
}

function sorted(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].toSorted((a, b) => a - b)
}
