import { around, boxOf, card as sizes, heightOf, overlap } from '../geometry.ts'
import { indexCards } from '../grid-index.ts'
import type { Places, Scene } from '../scene.ts'

/** How good a picture is; for tests and measurements. */
export type Quality = {
  /** Pairs of cards upon each other. */
  overlaps: number
  /** Crossings for each link, links taken as straight lines. */
  crossings: number
  /** Mean length of links, in widths of a card. */
  length: number
  /** How much of the picture cards cover. */
  cover: number
  /** Width for height. */
  aspect: number
}

/** Links that are compared with all others for crossings. */
const sample = 500

export function quality(scene: Scene, places: Places): Quality {
  const boxes = Array.from({ length: scene.count }, (_, card) => boxOf(scene, places, card))
  const bounds = around(boxes) ?? { left: 0, top: 0, right: 1, bottom: 1 }
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top]
  const covered = boxes.reduce((sum, { top, bottom }) => sum + sizes.width * (bottom - top), 0)
  return {
    overlaps: overlapsOf(scene, places),
    ...linksOf(scene, places),
    cover: covered / (width * height),
    aspect: width / height,
  }
}

export function overlapsOf(scene: Scene, places: Places): number {
  const cards = indexCards(scene, places)
  let overlaps = 0
  for (let card = 0; card < scene.count; card++) {
    const box = boxOf(scene, places, card)
    for (const other of cards.search(box)) if (other > card && overlap(box, boxOf(scene, places, other))) overlaps++
  }
  return overlaps
}

type Line = { x: number; y: number; endX: number; endY: number }

function linksOf(scene: Scene, places: Places): { crossings: number; length: number } {
  const x = (card: number) => places.x[card]! + sizes.width / 2
  const y = (card: number) => places.y[card]! + heightOf(scene.rowCounts[card]!) / 2
  const { from, to, count } = scene.links
  const lines = Array.from({ length: count }, (_, link) => link)
    .filter(link => from[link] !== to[link])
    .map(link => ({ x: x(from[link]!), y: y(from[link]!), endX: x(to[link]!), endY: y(to[link]!) }))
  if (lines.length === 0) return { crossings: 0, length: 0 }
  const length = lines.reduce((sum, line) => sum + Math.hypot(line.endX - line.x, line.endY - line.y), 0)
  const step = Math.ceil(lines.length / sample)
  const sampled = lines.filter((_, index) => index % step === 0)
  const crossings = sampled.reduce((sum, line) => sum + lines.filter(other => cross(line, other)).length, 0)
  return { crossings: crossings / sampled.length, length: length / lines.length / sizes.width }
}

/** Whether two lines cross in a point that is no end of theirs. */
function cross(one: Line, other: Line): boolean {
  const side = (line: Line, x: number, y: number) =>
    Math.sign((line.endX - line.x) * (y - line.y) - (line.endY - line.y) * (x - line.x))
  return (
    side(one, other.x, other.y) * side(one, other.endX, other.endY) < 0 &&
    side(other, one.x, one.y) * side(other, one.endX, one.endY) < 0
  )
}
