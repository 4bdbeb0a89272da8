import { boxColumn, type Cell, type CellRange, headRow, newRow, type SheetOrder } from './sheet-state.ts'

/** Target of a paste: rows and columns from the current cell on, and the size of the chosen range. */
export type PastePlace = {
  rows: readonly string[]
  columns: readonly string[]
  chosen: { rows: number; columns: number }
}

/** `isWhole`: rows with all their fields, also those that are not shown. */
export type CopiedCells = { rows: readonly string[]; columns: readonly string[]; isWhole: boolean }

export type SheetClipboard = {
  /** Whether whole rows that were cut move where they are pasted; otherwise they are cleared. */
  movesRows: boolean
  /** `isCut`: whole rows move where they are pasted. */
  copy: (cells: CopiedCells, data: DataTransfer, isCut: boolean) => void
  /** Resolves to what was pasted, to be chosen; null: nothing. */
  paste: (place: PastePlace, data: DataTransfer) => Promise<PastedCells | null>
}

export type PastedCells = { rows: readonly string[]; columns: readonly string[] }

/** Consecutive rows, and the first and last cell that are chosen in them. */
export type ChosenBlock = { rows: string[]; first: Cell; last: Cell }

type Chosen = {
  order: SheetOrder
  range: CellRange | null
  /** The rows that can be chosen, also those on other pages. */
  rows: readonly string[]
  selected: ReadonlySet<string>
}

/** The rows that keys act on as a whole: the chosen ones if they are more than the range or their boxes have the focus. */
export function chosenRows({ order, range, rows, selected }: Chosen): string[] | null {
  if (!range || order.rows[range.bottom] === headRow) return null
  const isBox = order.columns[range.right] === boxColumn
  if (!isBox && selected.size < 2) return null
  const choosable = new Set(rows)
  const inRange = order.rows.slice(range.top, range.bottom + 1).filter(id => choosable.has(id))
  const isOther = selected.size !== inRange.length || !inRange.every(id => selected.has(id))
  return isBox || isOther ? rows.filter(id => selected.has(id)) : null
}

/** The cells that a copy takes: those of the chosen rows, else of the range. */
export function copiedCells(chosen: Chosen): CopiedCells | null {
  const { order, range } = chosen
  if (!range || order.rows[range.bottom] === headRow) return null
  const isOfRange = (id: string) => id !== headRow && id !== newRow
  const columns = order.columns.filter(id => id !== boxColumn)
  const whole = chosenRows(chosen)
  const rows = whole ?? order.rows.slice(range.top, range.bottom + 1).filter(isOfRange)
  const inRange = order.columns.slice(range.left, range.right + 1).filter(id => id !== boxColumn)
  const isWhole = whole !== null || inRange.length === columns.length
  return rows.length === 0 ? null : { rows, columns: isWhole ? columns : inRange, isWhole }
}

/** The place of a paste; null in the head. */
export function pastePlace({ order, range, rows }: Chosen): PastePlace | null {
  const top = range ? order.rows[range.top] : undefined
  if (!range || top === undefined || top === headRow) return null
  const first = top === newRow ? rows.length : rows.indexOf(top)
  const columns = order.columns.slice(range.left).filter(id => id !== boxColumn)
  const chosen = { rows: range.bottom - range.top + 1, columns: range.right - range.left + 1 }
  return { rows: rows.slice(first), columns, chosen }
}

/** The smallest block that has these cells; null if none of them is in the sheet. */
export function blockOf(cells: PastedCells, order: SheetOrder): ChosenBlock | null {
  const [ownRows, ownColumns] = [new Set(cells.rows), new Set(cells.columns)]
  const places = order.rows.flatMap((id, at) => (ownRows.has(id) ? at : []))
  // The key is pinned above rows that were pasted with it.
  const [first = 0, second = first] = places
  const rows = order.rows.slice(second - first > 1 ? second : first, (places.at(-1) ?? -1) + 1)
  const columns = order.columns.filter(id => ownColumns.has(id))
  const [top, bottom, left, right] = [rows[0], rows.at(-1), columns[0], columns.at(-1)]
  if (top === undefined || bottom === undefined || left === undefined || right === undefined) return null
  return { rows, first: { row: top, column: left }, last: { row: bottom, column: right } }
}
