import { around, boxOf, grown, overlap, type Box } from './geometry.ts'
import { signs } from './palette.ts'
import { differences, type Hidden, type Marks, type Places, type Scene } from './scene.ts'
import { textWidth } from './text-fit.ts'

/** The frame around the cards of an area. */
export type AreaFrame = { readonly area: number; readonly box: Box }

/** Links between cards of two areas. */
export type Tie = { readonly from: number; readonly to: number; readonly weight: number }

export type AreaLabel = {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly size: number
  readonly isCentred: boolean
  readonly box: Box
}

const margin = 30

/** Frames of areas with visible cards; none where all cards are of one area. */
export function framesOf(scene: Scene, places: Places, hidden: Hidden): AreaFrame[] {
  const boxes = new Map<number, Box>()
  for (let card = 0; card < scene.count; card++) {
    if (hidden.has(card)) continue
    const area = scene.areas[card]!
    const box = boxOf(scene, places, card)
    boxes.set(area, around([boxes.get(area) ?? box, box]) ?? box)
  }
  if (boxes.size < 2) return []
  return [...boxes].map(([area, box]) => ({ area, box: grown(box, margin) })).sort((a, b) => a.area - b.area)
}

/** How areas are tied together, weakest first. Among many areas a few links say little. */
export function tiesOf(scene: Scene, hidden: Hidden): Tie[] {
  const weights = new Map<number, number>()
  const areas = scene.areaNames.length
  for (let link = 0; link < scene.links.count; link++) {
    const [from, to] = [scene.links.from[link]!, scene.links.to[link]!]
    const [a, b] = [scene.areas[from]!, scene.areas[to]!]
    if (a === b || hidden.has(from) || hidden.has(to)) continue
    const pair = Math.min(a, b) * areas + Math.max(a, b)
    weights.set(pair, (weights.get(pair) ?? 0) + 1)
  }
  const least = areas > 60 ? 4 : 1
  return [...weights]
    .filter(([, weight]) => weight >= least)
    .map(([pair, weight]) => ({ from: Math.floor(pair / areas), to: pair % areas, weight }))
    .sort((a, b) => a.weight - b.weight)
}

/** Differences of each area as text, such as `+3 −1 •5`; areas without any are left out. */
export function differencesOf(scene: Scene, hidden: Hidden, { marks }: Pick<Marks, 'marks'>): Map<number, string> {
  const counts = new Map<number, Map<string, number>>()
  for (const [card, mark] of marks) {
    if (hidden.has(card)) continue
    const area = scene.areas[card]!
    const own = counts.get(area) ?? new Map<string, number>()
    counts.set(area, own.set(mark, (own.get(mark) ?? 0) + 1))
  }
  const text = (own: ReadonlyMap<string, number>) =>
    differences.flatMap(mark => (own.has(mark) ? `${signs[mark]}${own.get(mark)}` : [])).join(' ')
  return new Map(Array.from(counts, ([area, own]) => [area, text(own)] as const).filter(([, words]) => words !== ''))
}

/**
 * Names of areas as they are drawn at a zoom, with notes where they stand for their cards: those that would overlap a larger area's
 * name are left out.
 */
export function labelsOf(
  scene: Scene,
  frames: readonly AreaFrame[],
  zoom: number,
  isCentred: boolean,
  notes: ReadonlyMap<number, string> = new Map(),
): AreaLabel[] {
  const size = isCentred ? 12 / zoom : Math.max(16, 12 / zoom)
  const labels: AreaLabel[] = []
  for (const { area, box } of frames.toSorted((a, b) => sizeOf(b.box) - sizeOf(a.box))) {
    const name = scene.areaNames[area] ?? ''
    const note = isCentred ? notes.get(area) : undefined
    const room = isCentred ? (box.right - box.left) * 1.6 : Number.POSITIVE_INFINITY
    const isFitting = (words: string) => textWidth(words, size, 600) <= room
    const text = [...(note === undefined ? [] : [`${name} ${note}`]), name].find(isFitting)
    if (text === undefined) continue
    const width = textWidth(text, size, 600)
    const x = isCentred ? (box.left + box.right) / 2 : box.left + 4 / zoom
    const y = isCentred ? (box.top + box.bottom) / 2 + size * 0.35 : box.top - 5 / zoom
    const left = isCentred ? x - width / 2 : x
    const label = { left, top: y - size, right: left + width, bottom: y + size * 0.3 }
    if (labels.every(other => !overlap(other.box, label))) labels.push({ text, x, y, size, isCentred, box: label })
  }
  return labels
}

function sizeOf({ left, top, right, bottom }: Box): number {
  return (right - left) * (bottom - top)
}
