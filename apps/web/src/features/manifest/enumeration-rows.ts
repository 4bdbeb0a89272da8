import type { Enumeration } from '@cadmus/model/enumeration'
import { cellsOfText } from '@cadmus/model/sheet/clipboard'
import { newUid } from '@cadmus/model/uid'

/** A value under construction, under its uid. */
export type ValueRow = Enumeration['values'][number]
export type ValueColumn = 'value' | 'label'

/** The values without rows in which nothing is entered. */
export function enteredValues(rows: readonly ValueRow[]): ValueRow[] {
  return rows.flatMap(({ uid, value, label }) => {
    const row = { uid, value: value.trim(), label: label.trim() }
    return row.value === '' && row.label === '' ? [] : [row]
  })
}

/** The rows with a text in the cell; a row after the last one is new. */
export function withCell(rows: readonly ValueRow[], at: number, column: ValueColumn, text: string): ValueRow[] {
  const row = rows[at] ?? { uid: newUid(), value: '', label: '' }
  return rows.toSpliced(at, 1, { ...row, [column]: text })
}

/**
 * The rows with cells of the clipboard from this cell on: each line fills the row that is there, which keeps its uid, or a new one. Null for a
 * single cell, which is text for the field.
 */
export function withPasted(
  rows: readonly ValueRow[],
  at: number,
  column: ValueColumn,
  text: string,
): ValueRow[] | null {
  const lines = cellsOfText(text).map(line => line.map(cell => cell.trim()))
  if (lines.length === 0 || (lines.length === 1 && (lines[0] ?? []).length < 2)) return null
  const columns: readonly ValueColumn[] = column === 'value' ? ['value', 'label'] : ['label']
  const next = [...rows]
  for (const [offset, line] of lines.entries()) {
    const row = next[at + offset] ?? { uid: newUid(), value: '', label: '' }
    const cells = line.slice(0, columns.length).map((cell, index) => [columns[index], cell] as const)
    next[at + offset] = { ...row, ...Object.fromEntries(cells) }
  }
  return next
}

/** The rows with one moved up or down; the same rows if it has no place to go. */
export function withMoved(rows: readonly ValueRow[], from: number, step: number): readonly ValueRow[] {
  const [row, to] = [rows[from], from + step]
  return row && to >= 0 && to < rows.length ? rows.toSpliced(from, 1).toSpliced(to, 0, row) : rows
}
