import type { Hidden, Links, Scene } from './scene.ts'

/** A way between two cards without coming to a card twice. */
export type Way = {
  readonly cards: readonly number[]
  /** For each step, all links between its two cards. */
  readonly links: readonly (readonly number[])[]
}

/** Neighbours of each card over links in both directions; without self references. */
type Adjacency = { starts: Uint32Array; cards: Uint32Array; links: Uint32Array }

const adjacencies = new WeakMap<Links, Adjacency>()

function adjacencyOf({ count, links }: Scene): Adjacency {
  const existing = adjacencies.get(links)
  if (existing) return existing
  const ends = new Uint32Array(count + 1)
  const { from, to } = links
  for (let link = 0; link < links.count; link++) {
    if (from[link] === to[link]) continue
    ends[from[link]! + 1]!++
    ends[to[link]! + 1]!++
  }
  for (let card = 0; card < count; card++) ends[card + 1]! += ends[card]!
  const starts = ends.slice()
  const adjacency = { starts, cards: new Uint32Array(ends[count]!), links: new Uint32Array(ends[count]!) }
  const add = (card: number, neighbour: number, link: number) => {
    const at = ends[card]!++
    adjacency.cards[at] = neighbour
    adjacency.links[at] = link
  }
  for (let link = 0; link < links.count; link++) {
    if (from[link] === to[link]) continue
    add(from[link]!, to[link]!, link)
    add(to[link]!, from[link]!, link)
  }
  adjacencies.set(links, adjacency)
  return adjacency
}

/** Links of a card in both directions, self references included once. */
export function linksOf(scene: Scene, card: number): number[] {
  const { starts, links } = adjacencyOf(scene)
  const own = [...links.subarray(starts[card], starts[card + 1])]
  const { from, to, count } = scene.links
  const selfs = selfReferences(scene.links)
  if (selfs.has(card))
    for (let link = 0; link < count; link++) if (from[link] === card && to[link] === card) own.push(link)
  return own
}

const cardsWithSelfReferences = new WeakMap<Links, ReadonlySet<number>>()

function selfReferences(links: Links): ReadonlySet<number> {
  const existing = cardsWithSelfReferences.get(links)
  if (existing) return existing
  const cards = new Set<number>()
  for (let link = 0; link < links.count; link++) if (links.from[link] === links.to[link]) cards.add(links.from[link]!)
  cardsWithSelfReferences.set(links, cards)
  return cards
}

/** A card and all that is up to `steps` links away. */
export function neighbourhood(scene: Scene, card: number, steps: number): Set<number> {
  const { starts, cards } = adjacencyOf(scene)
  const reached = new Set([card])
  let border = [card]
  for (let step = 0; step < steps; step++) {
    const next: number[] = []
    for (const one of border)
      for (let at = starts[one]!; at < starts[one + 1]!; at++) {
        const neighbour = cards[at]!
        if (reached.has(neighbour)) continue
        reached.add(neighbour)
        next.push(neighbour)
      }
    border = next
  }
  return reached
}

/** How many hidden cards each shown card is linked with; cards without any are left out. */
export function hiddenNeighbours(scene: Scene, hidden: Hidden): Map<number, number> {
  const { starts, cards } = adjacencyOf(scene)
  const neighbours = new Map<number, Set<number>>()
  for (const one of hidden)
    for (let at = starts[one]!; at < starts[one + 1]!; at++) {
      const neighbour = cards[at]!
      if (hidden.has(neighbour)) continue
      const set = neighbours.get(neighbour)
      if (set) set.add(one)
      else neighbours.set(neighbour, new Set([one]))
    }
  return new Map([...neighbours].map(([card, set]) => [card, set.size]))
}

/** The shortest ways between two cards, shortest first (Yen's algorithm); fewer where there are no more. */
export function shortestWays(scene: Scene, from: number, to: number, most = 5): Way[] {
  const search = new Search(adjacencyOf(scene), scene.count)
  const first = from === to ? undefined : search.way([], from, to, [])
  if (!first) return []
  const ways = [first]
  const candidates: number[][] = []
  const proposed = new Set([first.join()])
  while (ways.length < most) {
    const last = ways.at(-1)!
    for (let at = 0; at < last.length - 1; at++) {
      const root = last.slice(0, at)
      const closed = ways.filter(way => way.length > at + 1 && startsWith(way, last, at + 1)).map(way => way[at + 1]!)
      const way = search.way(root, last[at]!, to, closed)
      if (!way || proposed.has(way.join())) continue
      proposed.add(way.join())
      candidates.push(way)
    }
    const shortest = shortestOf(candidates)
    if (!shortest) break
    candidates.splice(candidates.indexOf(shortest), 1)
    ways.push(shortest)
  }
  return ways.map(cards => ({ cards, links: cards.slice(1).map((card, at) => linksBetween(scene, cards[at]!, card)) }))
}

/** Links between two cards in both directions. */
function linksBetween(scene: Scene, one: number, other: number): number[] {
  const { starts, cards, links } = adjacencyOf(scene)
  const between: number[] = []
  for (let at = starts[one]!; at < starts[one + 1]!; at++) if (cards[at] === other) between.push(links[at]!)
  return between
}

function startsWith(way: readonly number[], other: readonly number[], length: number): boolean {
  for (let at = 0; at < length; at++) if (way[at] !== other[at]) return false
  return true
}

function shortestOf(ways: readonly number[][]): number[] | undefined {
  let shortest: number[] | undefined
  for (const way of ways) if (!shortest || way.length < shortest.length) shortest = way
  return shortest
}

/** Breadth-first search whose memory serves all searches of one question. */
class Search {
  readonly #adjacency: Adjacency
  readonly #reached: Uint32Array
  readonly #previous: Uint32Array
  readonly #queue: Uint32Array
  #round = 0

  constructor(adjacency: Adjacency, count: number) {
    this.#adjacency = adjacency
    this.#reached = new Uint32Array(count)
    this.#previous = new Uint32Array(count)
    this.#queue = new Uint32Array(count)
  }

  /** `root` and the shortest way on from `from` that avoids it and does not go to a card of `closed` first. */
  way(root: readonly number[], from: number, to: number, closed: readonly number[]): number[] | undefined {
    const round = ++this.#round
    const [reached, queue] = [this.#reached, this.#queue]
    for (const card of root) reached[card] = round
    reached[from] = round
    queue[0] = from
    for (let head = 0, tail = 1; head < tail; head++) {
      if (queue[head] === to) return [...root, ...this.#back(from, to)]
      tail = this.#expand(queue[head]!, tail, head === 0 ? closed : [])
    }
    return undefined
  }

  #expand(card: number, end: number, closed: readonly number[]): number {
    const { starts, cards } = this.#adjacency
    let tail = end
    for (let at = starts[card]!; at < starts[card + 1]!; at++) {
      const next = cards[at]!
      if (this.#reached[next] === this.#round || closed.includes(next)) continue
      this.#reached[next] = this.#round
      this.#previous[next] = card
      this.#queue[tail++] = next
    }
    return tail
  }

  #back(from: number, to: number): number[] {
    const way = [to]
    for (let card = to; card !== from;) way.push((card = this.#previous[card]!))
    return way.reverse()
  }
}
