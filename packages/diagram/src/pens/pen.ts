import type { Point } from '../geometry.ts'

export type TextStyle = {
  readonly size: number
  readonly colour: string
  readonly weight?: 400 | 500 | 600
  readonly align?: 'left' | 'center' | 'right'
}

export type Outline = { readonly colour: string; readonly width: number; readonly dash?: number }

/** Points of a line as x, y, x, y … */
export type Route = ArrayLike<number>

/** What the painter draws with: a canvas or an SVG document, in world pixels. */
export type Pen = {
  /** Share of opacity of what is drawn next. */
  opacity: number
  box: (
    left: number,
    top: number,
    width: number,
    height: number,
    style: { readonly fill?: string; readonly outline?: Outline; readonly radius?: number },
  ) => void
  /** Lines of one style, drawn together. */
  lines: (routes: Iterable<Route>, outline: Outline) => void
  ring: (centre: Point, radius: number, style: { readonly fill?: string; readonly outline?: Outline }) => void
  /** `y` is the base line. */
  text: (text: string, x: number, y: number, style: TextStyle) => void
}

export const fontFamily = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
