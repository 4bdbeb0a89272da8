import { boxOf, card as sizes, type Box } from './geometry.ts'
import type { Palette } from './palette.ts'
import type { Route } from './pens/pen.ts'
import type { Hidden, Marks, Places, Row, Scene } from './scene.ts'

/** How much is drawn at a zoom. */
export type Level = 'rows' | 'heads' | 'blocks' | 'areas'

export function levelAt(zoom: number): Level {
  if (zoom >= 0.5) return 'rows'
  if (zoom >= 0.22) return 'heads'
  return zoom >= 0.08 ? 'blocks' : 'areas'
}

export type Drawing = Marks & {
  readonly scene: Scene
  readonly places: Places
  readonly hidden: Hidden
  readonly palette: Palette
  readonly rows: (card: number) => readonly Row[] | undefined
  readonly hiddenNeighbours: ReadonlyMap<number, number>
  readonly route: (link: number) => Route
  /** Where something is chosen, its links are drawn above this and all others are pale. */
  readonly isPale: boolean
}

const port = { width: 40, height: 18, gap: 4 } as const
/** From afar ports are not drawn. */
export const portsFrom = 0.22

/** How many world pixels are as large as one on the screen, for texts that must stay legible from afar. */
export function legiblePixel(zoom: number): number {
  return Math.max(1, 1 / zoom)
}

/** Where `+7` stands at a card with hidden neighbours. */
export function portBox(scene: Scene, places: Places, card: number, zoom: number): Box {
  const { right, bottom } = boxOf(scene, places, card)
  const pixel = legiblePixel(zoom)
  const top = bottom + port.gap
  return { left: right - port.width * pixel, top, right, bottom: top + port.height * pixel }
}

/** How far something of a card or a link may stand out of its box. */
export const overhang = Math.max(port.height * legiblePixel(portsFrom) + port.gap, sizes.foot, 8)
