/**
 * Rows as CSV that spreadsheets open as it is: UTF-8 with a byte-order mark, every cell quoted. A cell that a spreadsheet would
 * take for a formula gets an apostrophe before it.
 */
export function writeCsv(rows: Iterable<readonly string[]>): string {
  return `\uFEFF${csvLines(rows)}`
}

/** More rows of the same file. */
export function csvLines(rows: Iterable<readonly string[]>): string {
  return Array.from(rows, row => `${row.map(cell).join(',')}\r\n`).join('')
}

/** What begins a formula, the wide forms included, which some spreadsheets read alike. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/

function cell(text: string): string {
  return `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}
