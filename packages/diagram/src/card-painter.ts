import { legiblePixel, levelAt, portBox, type Drawing } from './drawing.ts'
import { card as sizes, heightOf } from './geometry.ts'
import { signs } from './palette.ts'
import type { Pen, Route } from './pens/pen.ts'
import type { Difference, Mark, Row } from './scene.ts'
import { fitted, textWidth, wrapped } from './text-fit.ts'

/** Where names begin and types end on a card. */
const inset = { glyph: 8, name: 25, end: 10 } as const
/** Types take at most this, so that names keep most of the room. */
const mostOfType = 110
const pad = 10
/** Width of the sign of a row that differs. */
const margin = 9

export function paintCard(pen: Pen, drawing: Drawing, card: number, zoom: number): void {
  if (levelAt(zoom) === 'rows') paintRows(pen, drawing, card)
  else paintHead(pen, drawing, card, 1 / zoom)
}

function paintRows(pen: Pen, drawing: Drawing, card: number): void {
  const { scene, places, palette } = drawing
  const [left, top] = [places.x[card]!, places.y[card]!]
  const count = scene.rowCounts[card]!
  const mark = drawing.marks.get(card)
  const border = mark ? { colour: palette.marks[mark], width: 2 } : { colour: palette.line, width: 1 }
  pen.box(left, top, sizes.width, heightOf(count), { fill: palette.surface, radius: 4 })
  pen.box(left, top, sizes.width, sizes.head, { fill: tintOf(drawing, card), radius: 4 })
  if (count > 0) {
    const below = top + sizes.head
    pen.box(left, below - 4, sizes.width, 4, { fill: tintOf(drawing, card) })
    pen.lines([[left, below, left + sizes.width, below]], { colour: palette.line, width: 1 })
  }
  pen.box(left, top, sizes.width, heightOf(count), { outline: border, radius: 4 })
  const room = sizes.width - 2 * pad - (mark ? 22 : 0)
  const name = fitted(scene.names[card]!, room, 13, 600)
  paintName(pen, drawing, mark, name, { x: left + pad, y: top + 20, size: 13 })
  if (mark) paintSign(pen, drawing, mark, left + sizes.width - 17, top + sizes.head / 2, 8)
  const rows = drawing.rows(card)
  for (let row = 0; row < count; row++) {
    const at = top + sizes.head + row * sizes.row
    const text = rows?.[row]
    if (text) paintRow(pen, drawing, text, left, at)
    else if (!rows) paintBar(pen, drawing, left, at, row, row)
  }
}

function paintRow(pen: Pen, drawing: Drawing, row: Row, left: number, top: number): void {
  const { palette } = drawing
  const y = top + 14
  if (row.mark) paintRowMark(pen, drawing, row.mark, left, top)
  if (row.kind === 'more') {
    pen.text(fitted(row.name, sizes.width - inset.name - inset.end, 12), left + inset.name, y, {
      size: 12,
      colour: palette.muted,
    })
    return
  }
  const glyph = left + inset.glyph + (row.mark ? 3 : 0)
  if (row.kind === 'key') paintKey(pen, palette.key, glyph, top + sizes.row / 2)
  if (row.kind === 'reference') paintArrow(pen, palette.reference, glyph, top + sizes.row / 2)
  // A question mark, as in most languages with types that may be absent.
  const type = fitted(row.type, mostOfType, 11) + (row.nullable ? '?' : '')
  const room = sizes.width - inset.name - inset.end - textWidth(type, 11) - 8
  const weight = row.kind === 'key' ? 600 : 400
  const name = fitted(row.name, room, 12, weight)
  pen.text(name, left + inset.name, y, { size: 12, colour: palette.text, weight })
  if (row.mark === 'removed') strike(pen, drawing, name, { x: left + inset.name, y, size: 12 }, weight)
  pen.text(type, left + sizes.width - inset.end, y, { size: 11, colour: palette.muted, align: 'right' })
}

/** The sign in the margin, and the row in a light tint of its colour. */
function paintRowMark(pen: Pen, { palette }: Drawing, mark: Difference, left: number, top: number): void {
  const fill = palette.marks[mark]
  pen.opacity = 0.12
  pen.box(left + 1, top, sizes.width - 2, sizes.row, { fill })
  pen.opacity = 1
  pen.box(left + 1, top, margin - 1, sizes.row, { fill })
  const style = { size: 11, colour: palette.surface, weight: 600, align: 'center' } as const
  pen.text(signs[mark], left + (margin + 1) / 2, top + 14, style)
}

function paintKey(pen: Pen, colour: string, x: number, y: number): void {
  const outline = { colour, width: 1.4 }
  pen.ring({ x: x + 3, y }, 2.6, { outline })
  const teeth: Route[] = [
    [x + 5.6, y, x + 12, y, x + 12, y + 3],
    [x + 9, y, x + 9, y + 2.4],
  ]
  pen.lines(teeth, outline)
}

function paintArrow(pen: Pen, colour: string, x: number, y: number): void {
  const arrow: Route[] = [
    [x, y - 3.5, x, y + 1.5, x + 11, y + 1.5],
    [x + 8, y - 1.5, x + 11, y + 1.5, x + 8, y + 4.5],
  ]
  pen.lines(arrow, { colour, width: 1.4 })
}

/** From farther away the name stays as large as can be read, and rows become bars. */
function paintHead(pen: Pen, drawing: Drawing, card: number, pixel: number): void {
  const { scene, places, palette } = drawing
  const [left, top] = [places.x[card]!, places.y[card]!]
  const count = scene.rowCounts[card]!
  const height = heightOf(count)
  const mark = drawing.marks.get(card)
  const size = Math.min(11 * pixel, height * 0.8)
  const room = sizes.width - 8 * pixel - (mark ? 14 * pixel : 0)
  const most = height > 36 * pixel ? 2 : 1
  const lines = size < 6 * pixel ? [] : wrapped(scene.names[card]!, room, most, size, 600)
  const head = Math.min(height, Math.max(sizes.head, (5 + 12 * lines.length) * pixel))
  pen.box(left, top, sizes.width, height, { fill: palette.surface })
  pen.box(left, top, sizes.width, head, { fill: tintOf(drawing, card) })
  const outline = { colour: mark ? palette.marks[mark] : palette.line, width: (mark ? 2 : 1) * pixel }
  pen.box(left, top, sizes.width, height, { outline })
  const first = top + (head - (lines.length - 1) * 12 * pixel) / 2 + size * 0.36
  for (const [line, text] of lines.entries())
    paintName(pen, drawing, mark, text, { x: left + 4 * pixel, y: first + line * 12 * pixel, size })
  if (mark && lines.length > 0) paintSign(pen, drawing, mark, left + sizes.width - 8 * pixel, top + head / 2, 6 * pixel)
  const rows = drawing.rows(card)
  for (let row = 0; row < count; row++) {
    const at = top + sizes.head + row * sizes.row
    if (at < top + head) continue
    const text = rows?.[row]
    paintBar(pen, drawing, left, at, row, text?.name.length ?? row, text?.mark)
  }
}

function paintBar(
  pen: Pen,
  { palette }: Drawing,
  left: number,
  top: number,
  row: number,
  seed: number,
  mark?: Difference,
): void {
  const fill = mark ? palette.marks[mark] : row === 0 ? palette.key : palette.bar
  if (mark) paintBarSign(pen, fill, mark, left, top)
  pen.opacity = row === 0 && !mark ? 0.5 : 1
  pen.box(left + inset.name, top + 6, 60 + ((seed * 37) % 80), 8, { fill })
  pen.opacity = 1
}

/** As the signs of rows that can be read, in strokes that are seen from farther away. */
function paintBarSign(pen: Pen, colour: string, mark: Difference, left: number, top: number): void {
  const [x, y] = [left + 12, top + sizes.row / 2]
  if (mark === 'changed') return pen.ring({ x, y }, 4, { fill: colour })
  const across: Route = [x - 6, y, x + 6, y]
  pen.lines(mark === 'added' ? [across, [x, y - 6, x, y + 6]] : [across], { colour, width: 3 })
}

type NamePlace = { x: number; y: number; size: number }

function paintName(pen: Pen, drawing: Drawing, mark: Mark | undefined, name: string, place: NamePlace): void {
  const { x, y, size } = place
  pen.text(name, x, y, { size, colour: drawing.palette.text, weight: 600 })
  if (mark === 'removed') strike(pen, drawing, name, place, 600)
}

function strike(
  pen: Pen,
  { palette }: Drawing,
  text: string,
  { x, y, size }: NamePlace,
  weight: number,
  colour = palette.marks.removed,
): void {
  const middle = y - size * 0.32
  pen.lines([[x, middle, x + textWidth(text, size, weight), middle]], { colour, width: size / 10 })
}

export function paintSign(
  pen: Pen,
  { palette }: Pick<Drawing, 'palette'>,
  mark: Mark,
  x: number,
  y: number,
  radius: number,
): void {
  pen.ring({ x, y }, radius, { fill: palette.marks[mark] })
  const size = radius * 1.6
  pen.text(signs[mark], x, y + size * 0.36, { size, colour: palette.surface, weight: 600, align: 'center' })
}

/** From here on names of blocks can be read. */
const namesFrom = 0.11

/** Blocks in the colours of their areas, and their names where they fit; one colour after the other. */
export function* paintBlocks(pen: Pen, drawing: Drawing, cards: readonly number[], zoom: number): Generator<void> {
  const { scene, places, palette, marks } = drawing
  const byColour = Map.groupBy(cards, card => {
    const mark = marks.get(card)
    return mark ? palette.marks[mark] : palette.blocks[scene.areas[card]! % palette.blocks.length]!
  })
  for (const [fill, some] of byColour) {
    for (const card of some)
      pen.box(places.x[card]!, places.y[card]!, sizes.width, heightOf(scene.rowCounts[card]!), { fill })
    yield
  }
  if (zoom < namesFrom) {
    // Without names, which begin with their signs.
    if (zoom > 0) for (const card of cards) paintBlockSign(pen, drawing, card, 1 / zoom)
    return
  }
  for (const [index, card] of cards.entries()) {
    paintBlockName(pen, drawing, card, 1 / zoom)
    if (index % 32 === 31) yield
  }
}

function paintBlockSign(pen: Pen, drawing: Drawing, card: number, pixel: number): void {
  const { scene, places, marks } = drawing
  const mark = marks.get(card)
  if (!mark) return
  const middle = heightOf(scene.rowCounts[card]!) / 2
  paintSign(pen, drawing, mark, places.x[card]! + sizes.width / 2, places.y[card]! + middle, 6 * pixel)
}

function paintBlockName(pen: Pen, drawing: Drawing, card: number, pixel: number): void {
  const { scene, places, palette, marks } = drawing
  const size = 11 * pixel
  const [left, top, height] = [places.x[card]!, places.y[card]!, heightOf(scene.rowCounts[card]!)]
  const mark = marks.get(card)
  const colour = mark ? palette.surface : palette.text
  const most = Math.floor((height - 2 * pixel) / (12 * pixel))
  if (most < 1) return paintBlockSign(pen, drawing, card, pixel)
  const name = mark ? `${signs[mark]} ${scene.names[card]!}` : scene.names[card]!
  for (const [line, text] of wrapped(name, sizes.width - 5 * pixel, most, size).entries()) {
    const place = { x: left + 3 * pixel, y: top + (11 + line * 12) * pixel, size }
    pen.text(text, place.x, place.y, { size, colour })
    if (mark === 'removed') strike(pen, drawing, text, place, 400, colour)
  }
}

/** `+7` below a card with hidden neighbours. */
export function paintPort(pen: Pen, drawing: Drawing, card: number, zoom: number): void {
  const { scene, places, palette, hiddenNeighbours } = drawing
  const count = hiddenNeighbours.get(card) ?? 0
  if (count === 0) return
  const pixel = legiblePixel(zoom)
  const { left, top, right, bottom } = portBox(scene, places, card, zoom)
  const outline = { colour: palette.line, width: pixel }
  pen.box(left, top, right - left, bottom - top, { fill: palette.surface, outline, radius: 9 * pixel })
  const style = { size: 11 * pixel, colour: palette.accent, weight: 600, align: 'center' } as const
  pen.text(count > 999 ? '+999' : `+${count}`, (left + right) / 2, top + 13 * pixel, style)
}

function tintOf({ scene, palette }: Drawing, card: number): string {
  return palette.tints[scene.areas[card]! % palette.tints.length]!
}
