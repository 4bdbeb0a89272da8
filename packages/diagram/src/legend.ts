import { paintSign } from './card-painter.ts'
import type { Box } from './geometry.ts'
import type { Palette } from './palette.ts'
import type { Pen } from './pens/pen.ts'
import type { Mark } from './scene.ts'
import { textWidth } from './text-fit.ts'

export type LegendItem = { readonly mark: Mark; readonly text: string }

/** World pixels that a legend takes below a picture. */
export const legendHeight = 32
const size = 13
const gap = 28

/** What the signs mean, in one line at the left lower corner of a box; returns the width that it takes. */
export function paintLegend(pen: Pen, palette: Palette, items: readonly LegendItem[], { left, bottom }: Box): number {
  let x = left
  const y = bottom - legendHeight / 2
  for (const { mark, text } of items) {
    paintSign(pen, { palette }, mark, x + 8, y, 8)
    pen.text(text, x + 22, y + size * 0.36, { size, colour: palette.text })
    x += 22 + textWidth(text, size) + gap
  }
  return x - gap - left
}
