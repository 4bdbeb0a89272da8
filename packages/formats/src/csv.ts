/**
 * Writes CSV that spreadsheets open without an import dialog: UTF-8 with a byte-order mark, all cells quoted. An
 * apostrophe before formula prefixes prevents formula injection.
 */
export function writeCsv(rows: Iterable<readonly string[]>): string {
  return `\uFEFF${csvLines(rows)}`
}

/** Writes rows without the byte-order mark, to append to a file. */
export function csvLines(rows: Iterable<readonly string[]>): string {
  return Array.from(rows, row => `${row.map(cell).join(',')}\r\n`).join('')
}

/** Includes the full-width forms because some spreadsheets treat them alike. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/

function cell(text: string): string {
  return `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}
