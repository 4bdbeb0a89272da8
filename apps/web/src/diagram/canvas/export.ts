import { legendHeight, paintLegend, type LegendItem } from '@cadmus/diagram/legend'
import { paint } from '@cadmus/diagram/painter'
import type { Drawing } from '@cadmus/diagram/drawing'
import { around, boxOf, grown, type Box } from '@cadmus/diagram/geometry'
import { CanvasPen } from '@cadmus/diagram/pens/canvas-pen'
import type { Palette } from '@cadmus/diagram/palette'
import type { Pen } from '@cadmus/diagram/pens/pen'
import { SvgPen } from '@cadmus/diagram/pens/svg-pen'
import type { Picture } from '../diagram.ts'
import styles from './canvas.module.css'
import { paperPalette } from './colours.ts'
import { Ground } from './ground.ts'

/** Longest side of a PNG in pixels; browsers refuse or blacken larger canvases. */
export const mostPixels = 8192
/** Room around the cards. */
const margin = 48
/** Leading all links around cards takes longer than a person waits. */
const mostLed = 3000

/** What is exported: a picture, or some of its cards and the links among them; `legend`: what its signs mean. */
export type Exported = {
  picture: Picture
  title: string
  cards?: ReadonlySet<number>
  legend?: readonly LegendItem[] | undefined
}

type Sheet = { box: Box; draw: (pen: Pen) => void; ground: string }

/** An SVG document of the whole diagram, or of some cards. */
export function svgOf(exported: Exported): string {
  const { box, draw, ground } = sheetOf(exported)
  const pen = new SvgPen()
  draw(pen)
  return pen.document(box, ground, exported.title)
}

/** A PNG of twice the size of the diagram at zoom 1, or as large as can be; `scale`: pixels for each of the diagram's. */
export async function pngOf(exported: Exported): Promise<{ blob: Blob; scale: number }> {
  const { box, draw, ground } = sheetOf(exported)
  const [width, height] = [box.right - box.left, box.bottom - box.top]
  const scale = Math.min(2, mostPixels / width, mostPixels / height)
  const canvas = new OffscreenCanvas(Math.ceil(width * scale), Math.ceil(height * scale))
  const context = canvas.getContext('2d', { alpha: false })!
  context.setTransform(scale, 0, 0, scale, -box.left * scale, -box.top * scale)
  const pen = new CanvasPen(context)
  pen.box(box.left, box.top, width, height, { fill: ground })
  draw(pen)
  return { blob: await canvas.convertToBlob({ type: 'image/png' }), scale }
}

/** Opens the browser's dialog for printing with the diagram alone, fitted to the paper. */
export function printDiagram(exported: Exported): void {
  const page = document.createElement('div')
  const parsed = new DOMParser().parseFromString(svgOf(exported), 'image/svg+xml')
  const svg = document.adoptNode(parsed.documentElement)
  const isWide = Number(svg.getAttribute('width')) > Number(svg.getAttribute('height'))
  // The size of the paper, by its style; the view box keeps the proportions.
  svg.removeAttribute('width')
  svg.removeAttribute('height')
  page.className = `${styles['print']} ${isWide ? styles['wide'] : ''}`
  page.append(svg)
  document.body.append(page)
  addEventListener('afterprint', () => page.remove(), { once: true })
  print()
}

function sheetOf({ picture, cards, legend = [] }: Exported): Sheet {
  const palette = paperPalette()
  const hidden = new Set(picture.hidden)
  if (cards) for (let card = 0; card < picture.scene.count; card++) if (!cards.has(card)) hidden.add(card)
  const ground = new Ground(picture.scene, picture.places, hidden, picture)
  const shown = Array.from({ length: picture.scene.count }, (_, card) => card).filter(card => !hidden.has(card))
  const inner = around([
    ...shown.map(card => boxOf(picture.scene, picture.places, card)),
    ...ground.frames.map(frame => frame.box),
  ])
  const whole = grown(inner ?? { left: 0, top: 0, right: 1, bottom: 1 }, margin)
  const box = legend.length > 0 ? withLegend(whole, legend, palette) : whole
  const links = ground.linksOf(shown)
  if (links.length <= mostLed) ground.leadAll(links)
  const drawing: Drawing = {
    scene: picture.scene,
    places: picture.places,
    hidden,
    palette,
    rows: picture.rows,
    marks: picture.marks,
    linkMarks: picture.linkMarks,
    hiddenNeighbours: new Map(),
    route: link => ground.route(link, 1),
    isPale: false,
  }
  const draw = (pen: Pen) => {
    for (const _ of paint(pen, drawing, { ...ground.part(box, 1), links }, 1));
    paintLegend(pen, palette, legend, legendIn(box))
  }
  return { box, draw, ground: palette.surface }
}

/** A box with room for the legend below the picture. */
function withLegend(box: Box, legend: readonly LegendItem[], palette: Palette): Box {
  const width = paintLegend(new SvgPen(), palette, legend, box)
  return { ...box, right: Math.max(box.right, box.left + width + margin), bottom: box.bottom + legendHeight }
}

function legendIn({ left, bottom, ...rest }: Box): Box {
  return { ...rest, left: left + margin / 2, bottom: bottom - margin / 3 }
}
