import type { Box, Point } from '../geometry.ts'
import { fontFamily, type Outline, type Pen, type Route, type TextStyle } from './pen.ts'

/** Writes what is drawn as an SVG document. */
export class SvgPen implements Pen {
  opacity = 1
  readonly #parts: string[] = []

  box(
    left: number,
    top: number,
    width: number,
    height: number,
    { fill, outline, radius = 0 }: Parameters<Pen['box']>[4],
  ): void {
    const corners = radius > 0 ? ` rx="${short(radius)}"` : ''
    const place = `x="${short(left)}" y="${short(top)}" width="${short(width)}" height="${short(height)}"`
    this.#shape(`rect ${place}${corners}`, fill, outline)
  }

  lines(routes: Iterable<Route>, outline: Outline): void {
    let path = ''
    for (const route of routes) path += pathOf(route)
    if (path !== '') this.#shape(`path d="${path}"`, undefined, outline)
  }

  ring({ x, y }: Point, radius: number, { fill, outline }: Parameters<Pen['ring']>[2]): void {
    this.#shape(`circle cx="${short(x)}" cy="${short(y)}" r="${short(radius)}"`, fill, outline)
  }

  text(text: string, x: number, y: number, { size, colour, weight = 400, align = 'left' }: TextStyle): void {
    const anchor = align === 'left' ? '' : ` text-anchor="${align === 'right' ? 'end' : 'middle'}"`
    const heavy = weight === 400 ? '' : ` font-weight="${weight}"`
    this.#parts.push(
      `<text x="${short(x)}" y="${short(y)}" font-size="${short(size)}"${heavy} fill="${escapeXml(colour)}"${anchor}${this.#faded()}>${escapeXml(text)}</text>`,
    )
  }

  /** The document, cut to a box. */
  document({ left, top, right, bottom }: Box, ground: string, title: string): string {
    const [width, height] = [right - left, bottom - top].map(short)
    const size = `width="${width}" height="${height}" viewBox="${short(left)} ${short(top)} ${width} ${height}"`
    const back = `<rect x="${short(left)}" y="${short(top)}" width="${width}" height="${height}" fill="${escapeXml(ground)}"/>`
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${fontFamily}"><title>${escapeXml(title)}</title>${back}\n${this.#parts.join('\n')}\n</svg>\n`
  }

  #shape(start: string, fill: string | undefined, outline: Outline | undefined): void {
    const inside = ` fill="${fill === undefined ? 'none' : escapeXml(fill)}"`
    const edge = outline ? ` stroke="${escapeXml(outline.colour)}" stroke-width="${short(outline.width)}"` : ''
    const dash = outline?.dash === undefined ? '' : ` stroke-dasharray="${short(outline.dash)}"`
    this.#parts.push(`<${start}${inside}${edge}${dash}${this.#faded()}/>`)
  }

  #faded(): string {
    return this.opacity === 1 ? '' : ` opacity="${short(this.opacity)}"`
  }
}

function pathOf(route: Route): string {
  let path = ''
  for (let at = 0; at + 1 < route.length; at += 2) {
    path += `${at === 0 ? 'M' : 'L'}${short(route[at]!)} ${short(route[at + 1]!)}`
  }
  return path
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100)
}

/** Names may have any characters; those that XML cannot have at all become U+FFFD. */
function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD')
      .replaceAll(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
  )
}
