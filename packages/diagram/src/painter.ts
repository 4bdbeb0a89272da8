import { visibleText } from '@cadmus/model/display'
import type { AreaFrame, AreaLabel, Tie } from './areas.ts'
import { paintBlocks, paintCard, paintPort, paintSign } from './card-painter.ts'
import { levelAt, portsFrom, type Drawing, type Level } from './drawing.ts'
import type { Pen, Route } from './pens/pen.ts'
import type { Point } from './geometry.ts'
import { type Difference, linkEnds } from './scene.ts'

/** What of a drawing is painted: what lies within a tile, or everything. */
export type Part = {
  readonly cards: readonly number[]
  readonly links: readonly number[]
  readonly frames: readonly AreaFrame[]
  readonly labels: readonly AreaLabel[]
  readonly ties: readonly Tie[]
}

const batch = 64

/** Paints in small steps, so that the caller can stop where its time is over. */
export function* paint(pen: Pen, drawing: Drawing, part: Part, zoom: number): Generator<void> {
  const level = levelAt(zoom)
  const pixel = 1 / zoom
  paintFrames(pen, drawing, part, pixel, level)
  yield
  if (level === 'areas') paintTies(pen, drawing, part, pixel)
  else yield* paintLinks(pen, drawing, part.links, zoom)
  const cards = part.cards.filter(card => !drawing.hidden.has(card))
  if (level === 'areas' || level === 'blocks') yield* paintBlocks(pen, drawing, cards, zoom)
  else {
    for (const card of cards) {
      paintCard(pen, drawing, card, zoom)
      yield
    }
  }
  if (zoom >= portsFrom) for (const card of cards) paintPort(pen, drawing, card, zoom)
  paintLabels(pen, drawing, part.labels, pixel)
}

function paintFrames(pen: Pen, { palette }: Drawing, { frames }: Part, pixel: number, level: Level): void {
  const outline = { colour: palette.line, width: pixel }
  const radius = level === 'areas' ? 0 : 8
  for (const { area, box } of frames) {
    const fill = level === 'areas' ? palette.tints[area % palette.tints.length]! : palette.frame
    pen.box(box.left, box.top, box.right - box.left, box.bottom - box.top, { fill, outline, radius })
  }
}

function paintTies(pen: Pen, { palette }: Drawing, { frames, ties }: Part, pixel: number): void {
  const middles = new Map(
    frames.map(({ area, box }) => [area, [(box.left + box.right) / 2, (box.top + box.bottom) / 2]]),
  )
  pen.opacity = 0.6
  for (const { from, to, weight } of ties) {
    const [a, b] = [middles.get(from), middles.get(to)]
    if (!a || !b) continue
    pen.lines([[...a, ...b]], { colour: palette.edge, width: Math.min(5, 0.6 + Math.log2(weight)) * pixel })
  }
  pen.opacity = 1
}

/** Marked links lie above the others, in the colours of their marks. */
export function* paintLinks(
  pen: Pen,
  drawing: Drawing,
  links: readonly number[],
  zoom: number,
  accent?: string,
): Generator<void> {
  const { linkMarks } = drawing
  if (linkMarks.size === 0) return yield* paintAlike(pen, drawing, links, zoom, accent)
  const groups = Map.groupBy(links, link => linkMarks.get(link))
  for (const mark of [undefined, 'changed', 'removed', 'added'] as const)
    yield* paintAlike(pen, drawing, groups.get(mark) ?? [], zoom, accent, mark)
}

/** Lines first, then what stands at their ends. */
function* paintAlike(
  pen: Pen,
  drawing: Drawing,
  links: readonly number[],
  zoom: number,
  accent: string | undefined,
  mark?: Difference,
): Generator<void> {
  const isFar = levelAt(zoom) === 'blocks'
  const colour = mark ? drawing.palette.marks[mark] : (accent ?? drawing.palette.edge)
  const width = (accent ? 2 : mark ? 1.6 : isFar ? 0.6 : 1.2) / zoom
  const dash = mark === 'removed' ? { dash: 6 / zoom } : {}
  // From afar many lines lie close together.
  const opacity = accent !== undefined ? 1 : drawing.isPale ? 0.4 : isFar && !mark ? 0.7 : 1
  for (let start = 0; start < links.length; start += batch) {
    const some = links.slice(start, start + batch)
    const routes = some.map(link => drawing.route(link))
    pen.opacity = opacity
    pen.lines(routes, { colour, width, ...dash })
    if (zoom >= 0.35) {
      const ends = some.flatMap((link, index) => endsOf(routes[index]!, drawing.scene.links.ends[link] ?? 0))
      pen.lines(
        ends.flatMap(({ strokes }) => strokes),
        { colour, width },
      )
      const outline = { colour, width }
      for (const { ring } of ends) if (ring) pen.ring(ring, 3.5, { fill: drawing.palette.ground, outline })
    }
    // Signs stay legible where lines are pale.
    pen.opacity = 1
    if (mark)
      for (const route of routes) {
        const { x, y } = middleOf(route)
        paintSign(pen, drawing, mark, x, y, signRadius(zoom))
      }
    yield
  }
}

/** The sign of a link stands in its middle, as large as can be read. */
function signRadius(zoom: number): number {
  return Math.max(7, 5 / zoom)
}

/** How far what is drawn at a link may lie from its line. */
export function linkReach(zoom: number, { linkMarks }: Pick<Drawing, 'linkMarks'>): number {
  return linkMarks.size > 0 ? Math.max(12, signRadius(zoom)) : 12
}

function middleOf(route: Route): Point {
  const lengths: number[] = []
  for (let at = 0; at + 3 < route.length; at += 2)
    lengths.push(Math.hypot(route[at + 2]! - route[at]!, route[at + 3]! - route[at + 1]!))
  let left = lengths.reduce((sum, length) => sum + length, 0) / 2
  for (const [index, length] of lengths.entries()) {
    if (length > 0 && left <= length) {
      const [x, y, nextX, nextY] = [0, 1, 2, 3].map(by => route[2 * index + by]!) as [number, number, number, number]
      return { x: x + ((nextX - x) * left) / length, y: y + ((nextY - y) * left) / length }
    }
    left -= length
  }
  return { x: route[0] ?? 0, y: route[1] ?? 0 }
}

type End = { strokes: Route[]; ring?: { x: number; y: number } }

/** Crow's feet: three toes for many, a bar for one, a ring for none. */
function endsOf(route: Route, bits: number): End[] {
  const last = route.length - 2
  if (last < 2) return []
  const many = (bits & linkEnds.unique) === 0
  const optional = (bits & linkEnds.nullable) !== 0
  const start = placeOf(route[0]!, route[1]!, route[2]!, route[3]!)
  const end = placeOf(route[last]!, route[last + 1]!, route[last - 2]!, route[last - 1]!)
  // A record may be referred to by none; whether it refers to one is what the foreign key says.
  const from: End = { strokes: many ? toesAt(start) : [barAt(start, 6)], ring: pointAt(start, many ? 14 : 11) }
  const to: End = optional
    ? { strokes: [barAt(end, 6)], ring: pointAt(end, 11) }
    : { strokes: [barAt(end, 6), barAt(end, 10)] }
  return [from, to]
}

type Place = { x: number; y: number; dx: number; dy: number }

/** The end of a line at a card, and the direction away from it. */
function placeOf(x: number, y: number, nextX: number, nextY: number): Place {
  return { x, y, dx: Math.sign(nextX - x), dy: Math.sign(nextY - y) }
}

function pointAt({ x, y, dx, dy }: Place, along: number): { x: number; y: number } {
  return { x: x + dx * along, y: y + dy * along }
}

function barAt(place: Place, along: number): Route {
  const { x, y } = pointAt(place, along)
  return [x - place.dy * 5, y - place.dx * 5, x + place.dy * 5, y + place.dx * 5]
}

function toesAt(place: Place): Route[] {
  const root = pointAt(place, 10)
  return [-5, 5].map(across => [root.x, root.y, place.x + place.dy * across, place.y + place.dx * across])
}

function paintLabels(pen: Pen, { palette }: Drawing, labels: readonly AreaLabel[], pixel: number): void {
  for (const { text, x, y, size, isCentred, box } of labels) {
    if (isCentred) {
      pen.opacity = 0.85
      const [width, height] = [box.right - box.left + 8 * pixel, box.bottom - box.top + 2 * pixel]
      pen.box(box.left - 4 * pixel, box.top - pixel, width, height, { fill: palette.surface, radius: 4 * pixel })
      pen.opacity = 1
    }
    const colour = isCentred ? palette.text : palette.muted
    pen.text(visibleText(text), x, y, { size, colour, weight: 600, align: isCentred ? 'center' : 'left' })
  }
}
