import { limits } from '../limits.ts'
import { sheetTexts } from '../messages/sheet.ts'
import { headingsOf } from './headings.ts'
import { readTypeWord } from './words.ts'
import { namePattern } from '../rules/names.ts'

// Texts of the clipboard as cells, and back.

export type Cells = readonly (readonly string[])[]

/** A table of the clipboard's HTML, as read by the page. */
export type HtmlCell = { text: string; colSpan: number; rowSpan: number }
export type HtmlTable = readonly (readonly HtmlCell[])[]

type Pasted = {
  text: string
  /** The first table of the HTML; called only if the text may have lost its cells. */
  table?: () => HtmlTable | null
}

/** The cells that were copied in any program, or why there are too many. */
export function readClipboard({ text, table }: Pasted): { cells: Cells } | { refusal: string } {
  if (text.length > limits.paste.text) return { refusal: sheetTexts.tooLarge(limits.paste.text) }
  const plain = cellsOfText(text)
  // Programs that lose line breaks in cells write rows of different lengths.
  const [first] = plain
  const isTable = first !== undefined && first.length > 1 && plain.every(row => row.length === first.length)
  const rows = isTable ? null : (table?.() ?? null)
  const tooMany = refusalOf(rows ?? plain)
  if (tooMany !== undefined) return { refusal: tooMany }
  const covered = rows && cellsOfTable(rows)
  const cells = covered?.some(row => row.length > 1) ? covered : plain
  const refusal = refusalOf(cells)
  return refusal === undefined ? { cells } : { refusal }
}

/** The cells of tab-separated text as it is; a text with commas is one cell. */
export function readTabbed(text: string): { cells: Cells } | { refusal: string } {
  if (text.length > limits.paste.text) return { refusal: sheetTexts.tooLarge(limits.paste.text) }
  const cells = readDelimited(text, '\t')
  const refusal = refusalOf(cells)
  return refusal === undefined ? { cells } : { refusal }
}

function refusalOf(cells: readonly (readonly unknown[])[]): string | undefined {
  const { rows, columns } = limits.paste
  if (cells.length > rows) return sheetTexts.tooManyRows(rows, cells.length)
  const width = cells.reduce((most, row) => Math.max(most, row.length), 0)
  return width > columns ? sheetTexts.tooManyColumns(columns, width) : undefined
}

/** Tab-separated text of spreadsheets, or a list in CSV with headings, or with names and types. */
export function cellsOfText(text: string): string[][] {
  const tabbed = readDelimited(text, '\t')
  if (tabbed.length < 2 || tabbed.some(row => row.length > 1)) return tabbed
  for (const delimiter of [';', ',']) {
    const cells = readDelimited(text, delimiter)
    if (isList(cells)) return cells
  }
  return tabbed
}

/** Whether text split at commas or semicolons is a list, not prose. */
function isList(cells: Cells): boolean {
  const [first = []] = cells
  if (headingsOf(first) !== undefined) return true
  const isAttribute = ([name = '', type = '']: readonly string[]) =>
    namePattern(name.trim()) === undefined && readTypeWord(type) !== undefined
  return first.length > 1 && cells.every(row => row.length === first.length && isAttribute(row))
}

/**
 * A cell that begins with a quote, and whose closing quote precedes a delimiter or line end, may contain both; any other quote is a
 * character, as in `5" pipe`. Linear in the text.
 */
function readDelimited(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  const code = delimiter.charCodeAt(0)
  let row: string[] = []
  let at = 0
  for (;;) {
    const quoted = text.charCodeAt(at) === quote ? readQuoted(text, at, code) : null
    const end = quoted?.end ?? endOfCell(text, at, code)
    row.push(lineFeeds(quoted?.value ?? text.slice(at, end)))
    at = end + 1
    if (text.charCodeAt(end) === code) continue
    // Rows beyond the limit are only counted.
    rows.push(rows.length > limits.paste.rows ? (rows[0] ?? row) : row)
    row = []
    if (text.charCodeAt(end) === carriageReturn && text.charCodeAt(at) === lineFeed) at += 1
    // The line end that spreadsheets write last begins no row.
    if (at >= text.length) return rows
  }
}

const [quote, lineFeed, carriageReturn] = [34, 10, 13]

function readQuoted(text: string, start: number, delimiter: number): { value: string; end: number } | null {
  let value = ''
  let from = start + 1
  for (;;) {
    const close = text.indexOf('"', from)
    if (close < 0) return null
    value += text.slice(from, close)
    if (text.charCodeAt(close + 1) !== quote) {
      return isEnd(text, close + 1, delimiter) ? { value, end: close + 1 } : null
    }
    value += '"'
    from = close + 2
  }
}

function endOfCell(text: string, start: number, delimiter: number): number {
  let at = start
  while (!isEnd(text, at, delimiter)) at += 1
  return at
}

function isEnd(text: string, at: number, delimiter: number): boolean {
  const code = text.charCodeAt(at)
  return at >= text.length || code === delimiter || code === lineFeed || code === carriageReturn
}

function lineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

/** The cells of a table; a cell over several columns or rows is followed by blank ones. */
function cellsOfTable(table: HtmlTable): string[][] {
  /** By column, the number of further rows that a cell above covers. */
  const covered: number[] = []
  return table.map(line => {
    const row: string[] = []
    const skipCovered = () => {
      while ((covered[row.length] ?? 0) > 0) {
        covered[row.length] = (covered[row.length] ?? 0) - 1
        row.push('')
      }
    }
    for (const { text, colSpan, rowSpan } of line) {
      skipCovered()
      const width = Math.min(Math.max(1, colSpan), limits.paste.columns + 1 - row.length)
      for (let column = 0; column < width; column += 1) {
        covered[row.length] = Math.max(0, rowSpan - 1)
        row.push(column === 0 ? text : '')
      }
    }
    skipCovered()
    return row
  })
}

/** Text for spreadsheets, which `readClipboard` reads as the same cells. */
export function textOfCells(cells: Cells): string {
  const textOf = (cell: string) => (/[\t\n\r]|^"/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  return cells.map(row => row.map(textOf).join('\t')).join('\r\n')
}

/** HTML for programs that take tables. */
export function htmlOfCells(cells: Cells): string {
  const cellOf = (cell: string) => `<td>${escaped(cell).replaceAll('\n', '<br>')}</td>`
  return `<table>${cells.map(row => `<tr>${row.map(cellOf).join('')}</tr>`).join('')}</table>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
