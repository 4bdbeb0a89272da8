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

/** The cells that a copy takes: the chosen rows if they are more than the range or their boxes have the focus, else the range. */
export function copiedCells({ order, range, rows, selected }: Chosen): CopiedCells | null {
  if (!range || order.rows[range.bottom] === headRow) return null
  const isOfRange = (id: string) => id !== headRow && id !== newRow
  const inRange = order.rows.slice(range.top, range.bottom + 1).filter(isOfRange)
  const columns = order.columns.filter(id => id !== boxColumn)
  const isBox = order.columns[range.right] === boxColumn
  const choosable = new Set(rows)
  const own = inRange.filter(id => choosable.has(id))
  const isOther = selected.size > 1 && (selected.size !== own.length || !own.every(id => selected.has(id)))
  const chosenRows = isBox || isOther ? rows.filter(id => selected.has(id)) : inRange
  const chosenColumns = order.columns.slice(range.left, range.right + 1).filter(id => id !== boxColumn)
  const isWhole = isBox || isOther || chosenColumns.length === columns.length
  return chosenRows.length === 0 ? null : { rows: chosenRows, columns: isWhole ? columns : chosenColumns, isWhole }
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
