import { card as sizes, heightOf } from '../geometry.ts'
import type { Links, Scene } from '../scene.ts'

/** What a layout needs of a scene; a worker receives this, without names. */
export type LayoutInput = Pick<Scene, 'count' | 'areas' | 'rowCounts'> & {
  readonly links: Pick<Links, 'count' | 'from' | 'to' | 'row'>
}

/** Room between columns of cards, without lanes for links, and between cards of a column. */
export const gap = { across: 72, down: 40, lane: 7 } as const

/** Links inside of areas by the card at each end: those of card c are at `starts[c]` to `starts[c + 1]`. */
export type Ends = {
  readonly starts: Uint32Array
  /** The card at the other end, as an index into its component. */
  readonly others: Uint32Array
  /** How much lower than the other card this one has to stand for the line to be straight. */
  readonly shifts: Float32Array
  /** Whether it is this card that refers to the other. */
  readonly refers: Uint8Array
}

/** Cards of an area that links connect. Indices into it count its cards. */
export type Component = {
  readonly cards: readonly number[]
  readonly heights: readonly number[]
  readonly ends: Ends
}

/** For each area its components, large ones first, single cards last in their order. */
export function componentsByArea(input: LayoutInput): Component[][] {
  const { areas, rowCounts, links } = input
  const inner = Uint32Array.from({ length: links.count }, (_, link) => link).filter(link => {
    const [from, to] = [links.from[link]!, links.to[link]!]
    return from !== to && areas[from] === areas[to]
  })
  const members = connected(input, inner)
  const ends = endsOf(input, inner, indicesIn(members, input.count))
  const byArea: Component[][] = Array.from({ length: areaCountOf(input) }, () => [])
  for (const cards of members)
    byArea[areas[cards[0]!]!]!.push({ cards, heights: cards.map(card => heightOf(rowCounts[card]!)), ends })
  for (const components of byArea)
    components.sort((a, b) => b.cards.length - a.cards.length || a.cards[0]! - b.cards[0]!)
  return byArea
}

/** Cards in groups that links connect. */
function connected({ count, links }: LayoutInput, inner: Uint32Array): number[][] {
  const roots = Int32Array.from({ length: count }, (_, card) => card)
  const rootOf = (card: number): number => {
    let root = card
    while (roots[root] !== root) root = roots[root] = roots[roots[root]!]!
    return root
  }
  for (const link of inner) {
    const [one, other] = [rootOf(links.from[link]!), rootOf(links.to[link]!)]
    roots[Math.max(one, other)] = Math.min(one, other)
  }
  const groups = new Map<number, number[]>()
  for (let card = 0; card < count; card++) {
    const root = rootOf(card)
    const cards = groups.get(root)
    if (cards) cards.push(card)
    else groups.set(root, [card])
  }
  return [...groups.values()]
}

function indicesIn(members: readonly number[][], count: number): Uint32Array {
  const indices = new Uint32Array(count)
  for (const cards of members) for (let index = 0; index < cards.length; index++) indices[cards[index]!] = index
  return indices
}

function endsOf({ count, rowCounts, links }: LayoutInput, inner: Uint32Array, indices: Uint32Array): Ends {
  const starts = new Uint32Array(count + 1)
  for (const link of inner) {
    starts[links.from[link]! + 1]!++
    starts[links.to[link]! + 1]!++
  }
  for (let card = 0; card < count; card++) starts[card + 1]! += starts[card]!
  const size = 2 * inner.length
  const ends = { starts, others: new Uint32Array(size), shifts: new Float32Array(size), refers: new Uint8Array(size) }
  const next = starts.slice()
  for (const link of inner) {
    const [from, to] = [links.from[link]!, links.to[link]!]
    const row = Math.min(links.row[link]!, rowCounts[from]! - 1)
    const shift = row < 0 ? 0 : sizes.head / 2 + (row + 0.5) * sizes.row
    const [start, end] = [next[from]!++, next[to]!++]
    ends.others[start] = indices[to]!
    ends.others[end] = indices[from]!
    ends.shifts[start] = -shift
    ends.shifts[end] = shift
    ends.refers[start] = 1
  }
  return ends
}

export function areaCountOf({ areas }: LayoutInput): number {
  let most = -1
  for (const area of areas) most = Math.max(most, area)
  return most + 1
}
