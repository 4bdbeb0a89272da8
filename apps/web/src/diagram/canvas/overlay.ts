import { paintBlocks, paintCard } from '@cadmus/diagram/card-painter'
import { levelAt, type Drawing } from '@cadmus/diagram/drawing'
import { boxOf, card as sizes, overlap, type Box, type Point } from '@cadmus/diagram/geometry'
import { paintLinks } from '@cadmus/diagram/painter'
import type { Pen, Route } from '@cadmus/diagram/pens/pen'
import type { Places, Scene } from '@cadmus/diagram/scene'

/** A relationship while it is drawn: from a row or head to a point of the world or a card. */
export type Draft = { from: number; row: number | undefined; to: Point | number }

/** A rubber rectangle in world pixels. */
export type Band = { from: Point; to: Point }

/** What is drawn above the tiles in each frame. */
export type Overlay = {
  chosen: Iterable<number>
  focused: number | null
  hovered: number | null
  /** Cards that are carried, or just dropped and not in their tiles yet. */
  lifted: readonly number[]
  /** Links in the accent. */
  links: readonly number[]
  band: Band | null
  draft: Draft | null
}

/** Beyond this many in view, links of the choice say nothing and carried cards are plain boxes. */
export const mostAbove = 300
const handleRadius = 5

export function paintOverlay(pen: Pen, drawing: Drawing, overlay: Overlay, view: Box, zoom: number): void {
  const { scene, places, palette } = drawing
  const accent = palette.accent
  const inView = (card: number) => overlap(boxOf(scene, places, card), view)
  if (overlay.links.length > 0) for (const _ of paintLinks(pen, drawing, overlay.links, zoom, accent));
  paintLifted(pen, drawing, overlay.lifted.filter(inView), zoom)
  for (const card of overlay.chosen) if (inView(card)) outline(pen, drawing, card, 2 / zoom, accent)
  if (overlay.focused !== null && inView(overlay.focused)) paintFocus(pen, drawing, overlay.focused, zoom)
  if (overlay.hovered !== null && levelAt(zoom) === 'rows') paintHandles(pen, drawing, overlay.hovered)
  if (overlay.draft) paintDraft(pen, drawing, overlay.draft, zoom)
  if (overlay.band) paintBand(pen, overlay.band, accent, zoom)
}

function paintLifted(pen: Pen, drawing: Drawing, cards: readonly number[], zoom: number): void {
  const level = levelAt(zoom)
  // Blocks without names are drawn fast enough for any number of cards.
  const blockZoom = level === 'blocks' && cards.length <= mostAbove ? zoom : 0
  if (cards.length <= mostAbove && (level === 'rows' || level === 'heads')) {
    for (const card of cards) paintCard(pen, drawing, card, zoom)
  } else for (const _ of paintBlocks(pen, drawing, cards, blockZoom));
}

function outline(pen: Pen, { scene, places }: Drawing, card: number, width: number, colour: string): void {
  const { left, top, right, bottom } = boxOf(scene, places, card)
  const by = width / 2
  const style = { outline: { colour, width }, radius: 4 }
  pen.box(left - by, top - by, right - left + width, bottom - top + width, style)
}

/** Apart from the card, so that it differs from a choice. */
function paintFocus(pen: Pen, { scene, places, palette }: Drawing, card: number, zoom: number): void {
  const { left, top, right, bottom } = boxOf(scene, places, card)
  const gap = 4 / zoom
  const style = { outline: { colour: palette.accent, width: 2 / zoom, dash: 4 / zoom }, radius: 4 }
  pen.box(left - gap, top - gap, right - left + 2 * gap, bottom - top + 2 * gap, style)
}

/** Where relationships are drawn from: beside the head and each row. */
function paintHandles(pen: Pen, { scene, places, palette }: Drawing, card: number): void {
  const outline = { colour: palette.accent, width: 1.5 }
  for (let row = -1; row < scene.rowCounts[card]!; row++)
    pen.ring(handleAt(scene, places, card, row), handleRadius, { fill: palette.surface, outline })
}

/** Row -1 is the head. */
export function handleAt(scene: Scene, places: Places, card: number, row: number): Point {
  const down = row < 0 ? sizes.head / 2 : sizes.head + (row + 0.5) * sizes.row
  return { x: places.x[card]! + sizes.width + 1, y: places.y[card]! + down }
}

function paintDraft(pen: Pen, drawing: Drawing, { from, row, to }: Draft, zoom: number): void {
  const { scene, places, palette } = drawing
  const width = 2 / zoom
  const start = handleAt(scene, places, from, row ?? -1)
  const box = typeof to === 'number' ? boxOf(scene, places, to) : undefined
  const end = box ? { x: box.left, y: box.top + sizes.head / 2 } : (to as Point)
  const middle = end.x > start.x ? (start.x + end.x) / 2 : start.x + 24
  const route: Route = [start.x, start.y, middle, start.y, middle, end.y, end.x, end.y]
  pen.lines([route], { colour: palette.accent, width, dash: 6 / zoom })
  if (typeof to === 'number') outline(pen, drawing, to, width, palette.accent)
}

function paintBand(pen: Pen, { from, to }: Band, colour: string, zoom: number): void {
  const [left, top] = [Math.min(from.x, to.x), Math.min(from.y, to.y)]
  const [width, height] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)]
  pen.opacity = 0.12
  pen.box(left, top, width, height, { fill: colour })
  pen.opacity = 1
  pen.box(left, top, width, height, { outline: { colour, width: 1 / zoom } })
}
