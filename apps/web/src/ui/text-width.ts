let canvas: CanvasRenderingContext2D | null = null

const fontSizes = { head: '600 12px', text: '13px', mono: '12px' }

/** Pixels of a text on one line, in one of the fonts of tables. */
export function textWidth(text: string, style: keyof typeof fontSizes): number {
  if (typeof document === 'undefined') return text.length * 7
  canvas ??= document.createElement('canvas').getContext('2d')
  if (!canvas) return text.length * 7
  const family = getComputedStyle(document.documentElement).getPropertyValue(style === 'mono' ? '--mono' : '--font')
  canvas.font = `${fontSizes[style]} ${family}`
  return canvas.measureText(text).width
}

/** Both sides of a cell, and a fraction of a pixel. */
const padding = 25
const widest = 320
/** Number of texts that are measured. */
const measured = 20

type Fitting = {
  mono?: boolean
  /** Pixels of icons in the cells. */
  beside?: number
}

/** CSS width of a table column that fits its head and texts. */
export function fittedColumn(header: string, texts: readonly string[], { mono = false, beside = 0 }: Fitting = {}) {
  // A text of as many characters may be wider.
  const longest = texts.toSorted((one, other) => other.length - one.length).slice(0, measured)
  const widths = longest.map(text => textWidth(text, mono ? 'mono' : 'text') + beside)
  const content = Math.max(textWidth(header, 'head'), ...widths)
  return `${Math.min(widest, Math.ceil(content + padding))}px`
}
