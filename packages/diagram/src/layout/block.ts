import { card as sizes } from '../geometry.ts'
import type { Places } from '../scene.ts'
import { aspect, columnHeight, columnsOf } from './columns.ts'
import { gap, type Component } from './component.ts'
import { alignColumns } from './heights.ts'

export type Size = { width: number; height: number }

/** Most lines that get a lane of their own between two columns. */
const mostLanes = 14

/** Places the cards of a component from 0, 0 on. */
function placeComponent(component: Component, places: Places): Size {
  if (component.cards.length === 1) {
    places.x[component.cards[0]!] = places.y[component.cards[0]!] = 0
    return { width: sizes.width, height: component.heights[0]! }
  }
  const columns = columnsOf(component)
  const tops = alignColumns(component, columns)
  const lefts = leftsOf(component, columns)
  let [top, bottom] = [Infinity, -Infinity]
  for (const [card, at] of tops.entries()) {
    top = Math.min(top, at)
    bottom = Math.max(bottom, at + component.heights[card]!)
  }
  columns.forEach((column, index) => {
    for (const card of column) {
      places.x[component.cards[card]!] = lefts[index]!
      places.y[component.cards[card]!] = Math.round(tops[card]! - top)
    }
  })
  return { width: lefts.at(-1)! + sizes.width, height: Math.round(bottom - top) }
}

/** Columns are apart as the links between them need it. */
function leftsOf({ cards, ends }: Component, columns: readonly (readonly number[])[]): number[] {
  const columnOf = new Uint32Array(cards.length)
  columns.forEach((column, index) => {
    for (const card of column) columnOf[card] = index
  })
  const changes = new Int32Array(columns.length + 1)
  for (let card = 0; card < cards.length; card++)
    for (let at = ends.starts[cards[card]!]!; at < ends.starts[cards[card]! + 1]!; at++) {
      const [own, others] = [columnOf[card]!, columnOf[ends.others[at]!]!]
      if (own > others) continue
      changes[own]!++
      changes[Math.max(others, own + 1)]!--
    }
  const lefts: number[] = []
  let [left, links] = [0, 0]
  columns.forEach((_, index) => {
    lefts.push(left)
    links += changes[index]!
    left += sizes.width + gap.across + Math.min(mostLanes, links) * gap.lane
  })
  return lefts
}

type Part = Size & { component: Component }
type Packed = Size & { corners: { left: number; top: number }[] }

/** Places all cards of an area from 0, 0 on: its components in columns, the largest first. */
export function placeBlock(components: readonly Component[], places: Places): Size {
  const parts = components.map(component => ({ component, ...placeComponent(component, places) }))
  const tallest = parts.reduce((most, { height }) => Math.max(most, height), 0)
  const least = Math.max(tallest, columnHeight(components.flatMap(({ heights }) => heights)))
  const tries = parts.length > 1 ? [1, 1.2, 1.5, 1.8, 2.2] : [1]
  const [best] = tries.map(times => packed(parts, least * times)).toSorted((a, b) => distortion(a) - distortion(b))
  parts.forEach(({ component }, index) => {
    const { left, top } = best!.corners[index]!
    for (const card of component.cards) {
      places.x[card]! += left
      places.y[card]! += top
    }
  })
  return { width: best!.width, height: best!.height }
}

/** How far a picture is from the shape of a screen. */
function distortion({ width, height }: Size): number {
  return Math.abs(Math.log(width / height / aspect))
}

/** One below the other in columns up to a height. */
function packed(parts: readonly Part[], limit: number): Packed {
  let [left, top, width, height] = [0, 0, 0, 0]
  const corners = parts.map(part => {
    if (top > 0 && top + part.height > limit) {
      left += width + gap.across + gap.lane
      top = width = 0
    }
    const corner = { left, top }
    top += part.height + gap.down
    width = Math.max(width, part.width)
    height = Math.max(height, top - gap.down)
    return corner
  })
  return { width: left + width, height, corners }
}
