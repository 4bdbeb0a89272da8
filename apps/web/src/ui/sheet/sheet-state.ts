/** A cell, by the ids of its row and column. */
export type Cell = { row: string; column: string }

/** The ids of the rows and columns, in order. The first row is the head, the last one takes new items. */
export type SheetOrder = { rows: readonly string[]; columns: readonly string[] }

/** First and last row and column, inclusive. */
export type CellRange = { top: number; bottom: number; left: number; right: number }

export type CellText = { text: string; reason: string; offer?: string | undefined }

/** What was found about the value of a cell. */
export type CellMark = { severity: 'error' | 'warning'; text: string }

export const headRow = ' head'
export const newRow = ' new'
/** The column with the checkboxes. */
export const boxColumn = ' box'

export type SheetState = {
  /** The cell with the focus, or the one that Tab would focus. */
  cell: Cell | null
  /** Index of its row, for the case that the row is removed. */
  place: number
  /** The other corner of the range. */
  anchor: Cell | null
  /** Text in the editor of the current cell. `isTyped`: it replaces the value. */
  editing: { text: string; isTyped: boolean } | null
}

export const initialSheet: SheetState = { cell: null, place: 1, anchor: null, editing: null }

/** Moves the focus to a cell. `extend`: the range keeps its anchor. */
export function atCell(state: SheetState, cell: Cell, { rows }: SheetOrder, extend = false): SheetState {
  const anchor = extend ? (state.anchor ?? state.cell ?? cell) : cell
  return { cell, place: rows.indexOf(cell.row), anchor, editing: null }
}

/** Whether the range has several cells. */
export function isRange({ top, bottom, left, right }: CellRange): boolean {
  return top !== bottom || left !== right
}

export function isSameCell(one: Cell | null, other: Cell): boolean {
  return one?.row === other.row && one.column === other.column
}

export function rangeOf({ cell, anchor }: SheetState, { rows, columns }: SheetOrder): CellRange | null {
  if (cell === null) return null
  const [top, bottom] = sorted(rows.indexOf(cell.row), rows.indexOf((anchor ?? cell).row))
  const [left, right] = sorted(columns.indexOf(cell.column), columns.indexOf((anchor ?? cell).column))
  return top < 0 || left < 0 ? null : { top, bottom, left, right }
}

function sorted(one: number, other: number): [number, number] {
  return one < other ? [one, other] : [other, one]
}

type KeyPress = { key: string; ctrlKey: boolean; metaKey: boolean }

/** The cell that a key moves to; null for other keys. `page`: number of rows in view. */
export function cellAfter(cell: Cell, press: KeyPress, { rows, columns }: SheetOrder, page: number): Cell | null {
  const [row, column] = [rows.indexOf(cell.row), columns.indexOf(cell.column)]
  const isFar = press.ctrlKey || press.metaKey
  const last = rows.length - 1
  // The head is reached by the arrow key alone.
  const [firstRow, firstColumn] = [Math.min(1, last), columns[0] === boxColumn ? 1 : 0]
  const target: Record<string, [number, number]> = {
    ArrowUp: [isFar ? firstRow : row - 1, column],
    ArrowDown: [isFar ? last : row + 1, column],
    ArrowLeft: [row, isFar ? firstColumn : column - 1],
    ArrowRight: [row, isFar ? columns.length - 1 : column + 1],
    Home: [isFar ? firstRow : row, firstColumn],
    End: [isFar ? last : row, columns.length - 1],
    PageUp: [Math.max(firstRow, row - page), column],
    PageDown: [row + page, column],
  }
  const place = target[press.key]
  return place ? cellAt(place[0], place[1], { rows, columns }) : null
}

/** The next cell in reading order; null after the last and before the first one. */
export function nextCell(cell: Cell, step: 1 | -1, { rows, columns }: SheetOrder): Cell | null {
  const first = columns[0] === boxColumn ? 1 : 0
  const width = columns.length - first
  const at = rows.indexOf(cell.row) * width + Math.max(0, columns.indexOf(cell.column) - first) + step
  const row = Math.floor(at / width)
  return row < 1 || row >= rows.length ? null : cellAt(row, first + (at % width), { rows, columns })
}

function cellAt(row: number, column: number, { rows, columns }: SheetOrder): Cell | null {
  const [rowId, columnId] = [rows[clamped(row, rows.length)], columns[clamped(column, columns.length)]]
  return rowId === undefined || columnId === undefined ? null : { row: rowId, column: columnId }
}

function clamped(index: number, length: number): number {
  return Math.min(length - 1, Math.max(0, index))
}

/** The current cell; replaced by the one at the same place if it no longer exists, or by the first one. */
export function existingCell({ cell, place }: Pick<SheetState, 'cell' | 'place'>, order: SheetOrder): Cell | null {
  const { rows, columns } = order
  const row = cell && rows.includes(cell.row) ? rows.indexOf(cell.row) : Math.max(1, place)
  const column = cell && columns.includes(cell.column) ? columns.indexOf(cell.column) : columns[0] === boxColumn ? 1 : 0
  const at = cellAt(row, column, order)
  return at && isSameCell(cell, at) ? cell : at
}

/** The next or previous cell that needs attention, in reading order, starting over at the end. */
export function nextMarked(
  cell: Cell | null,
  step: 1 | -1,
  { rows, columns }: SheetOrder,
  isMarked: (row: string, column: string) => boolean,
): Cell | null {
  const marked = rows.flatMap(row => columns.filter(column => isMarked(row, column)).map(column => ({ row, column })))
  const placeOf = (one: Cell) => rows.indexOf(one.row) * columns.length + columns.indexOf(one.column)
  const from = cell ? placeOf(cell) : -1
  const next = step === 1 ? marked.find(one => placeOf(one) > from) : marked.findLast(one => placeOf(one) < from)
  return next ?? (step === 1 ? marked[0] : marked.at(-1)) ?? null
}
