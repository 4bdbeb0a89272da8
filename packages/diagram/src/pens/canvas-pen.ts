import type { Point } from '../geometry.ts'
import { fontFamily, type Outline, type Pen, type Route, type TextStyle } from './pen.ts'

/** The part of a canvas's context in use; this package knows no page. */
export type CanvasContext = {
  fillStyle: unknown
  strokeStyle: unknown
  lineWidth: number
  lineJoin: 'bevel' | 'miter' | 'round'
  font: string
  textAlign: 'center' | 'end' | 'left' | 'right' | 'start'
  globalAlpha: number
  setLineDash: (segments: number[]) => void
  fillRect: (left: number, top: number, width: number, height: number) => void
  strokeRect: (left: number, top: number, width: number, height: number) => void
  fillText: (text: string, x: number, y: number) => void
  beginPath: () => void
  moveTo: (x: number, y: number) => void
  lineTo: (x: number, y: number) => void
  arc: (x: number, y: number, radius: number, from: number, to: number) => void
  roundRect: (left: number, top: number, width: number, height: number, radius: number) => void
  fill: () => void
  stroke: () => void
}

export class CanvasPen implements Pen {
  readonly #context: CanvasContext
  // Setting a property costs more than comparing it.
  #fill = ''
  #stroke = ''
  #font = ''
  #align = 'left'
  #dash = 0

  constructor(context: CanvasContext) {
    this.#context = context
    // Another pen may have drawn on it before.
    context.lineJoin = 'round'
    context.textAlign = 'left'
    context.globalAlpha = 1
    context.setLineDash([])
  }

  get opacity(): number {
    return this.#context.globalAlpha
  }

  set opacity(share: number) {
    this.#context.globalAlpha = share
  }

  box(
    left: number,
    top: number,
    width: number,
    height: number,
    { fill, outline, radius = 0 }: Parameters<Pen['box']>[4],
  ): void {
    const context = this.#context
    if (radius === 0) {
      if (fill !== undefined) this.#filled(fill).fillRect(left, top, width, height)
      if (outline) this.#outlined(outline).strokeRect(left, top, width, height)
      return
    }
    context.beginPath()
    context.roundRect(left, top, width, height, radius)
    if (fill !== undefined) this.#filled(fill).fill()
    if (outline) this.#outlined(outline).stroke()
  }

  lines(routes: Iterable<Route>, outline: Outline): void {
    const context = this.#outlined(outline)
    context.beginPath()
    for (const route of routes) {
      for (let at = 0; at + 1 < route.length; at += 2) {
        if (at === 0) context.moveTo(route[0]!, route[1]!)
        else context.lineTo(route[at]!, route[at + 1]!)
      }
    }
    context.stroke()
  }

  ring({ x, y }: Point, radius: number, { fill, outline }: Parameters<Pen['ring']>[2]): void {
    const context = this.#context
    context.beginPath()
    context.arc(x, y, radius, 0, Math.PI * 2)
    if (fill !== undefined) this.#filled(fill).fill()
    if (outline) this.#outlined(outline).stroke()
  }

  text(text: string, x: number, y: number, { size, colour, weight = 400, align = 'left' }: TextStyle): void {
    const context = this.#filled(colour)
    const font = `${weight} ${size}px ${fontFamily}`
    if (font !== this.#font) context.font = this.#font = font
    if (align !== this.#align) context.textAlign = this.#align = align
    context.fillText(text, x, y)
  }

  #filled(fill: string): CanvasContext {
    if (fill !== this.#fill) this.#context.fillStyle = this.#fill = fill
    return this.#context
  }

  #outlined({ colour, width, dash = 0 }: Outline): CanvasContext {
    const context = this.#context
    if (colour !== this.#stroke) context.strokeStyle = this.#stroke = colour
    if (dash !== this.#dash) {
      this.#dash = dash
      context.setLineDash(dash > 0 ? [dash, dash] : [])
    }
    context.lineWidth = width
    return context
  }
}
