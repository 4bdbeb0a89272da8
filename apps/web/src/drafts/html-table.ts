import { limits } from '@cadmus/model/limits'
import type { HtmlTable } from '@cadmus/model/sheet/clipboard'

const lineBreak = '\0'

/**
 * The first table of a clipboard's HTML, without its formatting; null without one, or if the HTML is too large. Runs no script and loads
 * nothing.
 */
export function readHtmlTable(html: string): HtmlTable | null {
  if (html === '' || html.length > limits.paste.text) return null
  const table = new DOMParser().parseFromString(html, 'text/html').querySelector('table')
  if (!table) return null
  for (const element of table.querySelectorAll('style, script')) element.remove()
  for (const element of table.querySelectorAll('br')) element.replaceWith(lineBreak)
  for (const element of table.querySelectorAll('p + p, div + div, li + li')) element.before(lineBreak)
  return Array.from(table.rows, row =>
    Array.from(row.cells, cell => ({ text: textOf(cell), colSpan: cell.colSpan, rowSpan: cell.rowSpan })),
  )
}

/** Source lines and spaces are formatting. */
function textOf(cell: Element): string {
  const lines = cell.textContent.replace(/[\s\u00a0]+/g, ' ').split(lineBreak)
  return lines
    .map(line => line.trim())
    .join('\n')
    .trim()
}
