import { card as sizes } from '../geometry.ts'
import { gap, type Component } from './component.ts'

/** Width of a picture for its height: about that of a screen. */
export const aspect = 1.6

/** How high columns should be, so that they make a picture of that shape. */
export function columnHeight(heights: readonly number[]): number {
  let [area, tallest] = [0, 0]
  for (const height of heights) {
    area += (height + gap.down) * (sizes.width + gap.across + 3 * gap.lane)
    tallest = Math.max(tallest, height)
  }
  return Math.max(tallest + gap.down, Math.sqrt(area / aspect))
}

/** Columns of cards: what is referred to stands left of what refers to it, as far as there are no circles and the shape allows. */
export function columnsOf(component: Component): number[][] {
  const { order, lefts } = withoutCircles(component)
  const layers = layersOf(order, lefts)
  const groups: number[][] = []
  for (const card of order) (groups[layers[card]!] ??= []).push(card)
  const height = columnHeight(component.heights)
  const heightOf = (cards: readonly number[]) =>
    cards.reduce((sum, card) => sum + component.heights[card]! + gap.down, 0)
  return merged(groups, height, heightOf).flatMap(cards => split(cards, height, heightOf))
}

/**
 * An order in which what is referred to comes first, and for each card those to stand left of it. A link that closes a circle is
 * turned round.
 */
function withoutCircles({ cards, ends }: Component): { order: number[]; lefts: number[][] } {
  const { starts, others, refers } = ends
  const lefts = cards.map((): number[] => [])
  const order: number[] = []
  const state = new Uint8Array(cards.length)
  const next = Uint32Array.from(cards, card => starts[card]!)
  const [open, closed] = [1, 2]
  const visit = (start: number) => {
    const stack = [start]
    state[start] = open
    for (let card = stack.at(-1); card !== undefined; card = stack.at(-1)) {
      const at = next[card]!++
      if (at >= starts[cards[card]! + 1]!) {
        state[card] = closed
        order.push(card)
        stack.pop()
      } else if (refers[at]) {
        const target = others[at]!
        if (state[target] === open) lefts[target]!.push(card)
        else lefts[card]!.push(target)
        if (state[target]) continue
        state[target] = open
        stack.push(target)
      }
    }
  }
  const isReferredTo = (card: number) =>
    refers.subarray(starts[cards[card]!], starts[cards[card]! + 1]).some(flag => flag === 0)
  for (let card = 0; card < cards.length; card++) if (!isReferredTo(card)) visit(card)
  for (let card = 0; card < cards.length; card++) if (!state[card]) visit(card)
  return { order, lefts }
}

/** Longest paths first; then each card moves to where its links are shorter. */
function layersOf(order: readonly number[], lefts: readonly (readonly number[])[]): Int32Array {
  const layers = new Int32Array(order.length)
  const rights = order.map((): number[] => [])
  for (const card of order)
    for (const left of lefts[card]!) {
      layers[card] = Math.max(layers[card]!, layers[left]! + 1)
      rights[left]!.push(card)
    }
  const last = layers.reduce((most, layer) => Math.max(most, layer), 0)
  for (let pass = 0; pass < 3; pass++)
    for (const card of pass % 2 === 0 ? order.toReversed() : order) {
      let [low, high] = [0, last]
      for (const left of lefts[card]!) low = Math.max(low, layers[left]! + 1)
      for (const right of rights[card]!) high = Math.min(high, layers[right]! - 1)
      const pull = rights[card]!.length - lefts[card]!.length
      if (pull !== 0) layers[card] = pull > 0 ? high : low
    }
  return layers
}

type HeightOf = (cards: readonly number[]) => number

/** Long chains of small layers would make a very wide picture: some share a column. */
function merged(groups: readonly number[][], height: number, heightOf: HeightOf): number[][] {
  const layers = groups.filter(Boolean)
  const needed = Math.ceil(layers.reduce((sum, cards) => sum + heightOf(cards), 0) / height)
  if (layers.length <= needed + 1) return layers
  const columns: number[][] = []
  let room = 0
  for (const cards of layers) {
    const taken = heightOf(cards)
    if (columns.length > 0 && taken <= room) columns.at(-1)!.push(...cards)
    else {
      columns.push([...cards])
      room = height
    }
    room -= taken
  }
  return columns
}

function split(cards: readonly number[], height: number, heightOf: HeightOf): number[][] {
  const total = heightOf(cards)
  const count = total > 1.3 * height ? Math.round(total / height) : 1
  const columns: number[][] = [[]]
  let used = 0
  for (const card of cards) {
    const taken = heightOf([card])
    if (used + taken / 2 > (columns.length * total) / count && columns.at(-1)!.length > 0) columns.push([])
    columns.at(-1)!.push(card)
    used += taken
  }
  return columns
}
