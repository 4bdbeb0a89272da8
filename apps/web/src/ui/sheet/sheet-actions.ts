import type { ClipboardEvent, FocusEvent, KeyboardEvent, MouseEvent } from 'react'
import { notify } from '../notices.ts'
import { stepped } from '../table-state.ts'
import type { RowChoice } from '../use-row-choice.ts'
import type { After } from './CellEditor.tsx'
import type { SheetProps } from './sheet-props.ts'
import { CellWriter } from './cell-writer.ts'
import {
  atCell,
  boxColumn,
  type Cell,
  cellAfter,
  headRow,
  isRange,
  isSameCell,
  newRow,
  nextCell,
  nextMarked,
  rangeOf,
  type SheetOrder,
} from './sheet-state.ts'
import {
  blockOf,
  type ChosenBlock,
  chosenRows,
  copiedCells,
  type CopiedCells,
  type PastedCells,
  type PastePlace,
  pastePlace,
} from './sheet-clipboard.ts'
import { cellOf, type SheetFocus } from './use-sheet-focus.ts'

/** State between events that is not rendered. */
export type SheetMemory = {
  /** Tab moves to the next cell: after a click or a typed text, until Escape. */
  isFlowing: boolean
  /** The column where Tab began; Enter returns to it. */
  tabStart: string | null
  /** The pressed cell was the current one. */
  wasCurrent: boolean
}

export type SheetParts<Row> = {
  props: SheetProps<Row>
  /** The rows of the page. */
  order: SheetOrder
  /** The rows of all pages. */
  whole: SheetOrder
  /** Shows the page of a row. */
  show: (id: string) => void
  /** Ids of the rows that can be moved, on all pages. */
  movable: readonly string[]
  /** Ids of the rows that can be chosen. */
  choosable: readonly string[]
  focus: SheetFocus
  choice: RowChoice
  memory: SheetMemory
  announce: (text: string) => void
  /** Chooses pasted cells once they are rendered. */
  choosePasted: (...pasted: ToChoose) => void
}

/** Pasted cells, the current cell before, and whether the sheet had the focus. */
export type ToChoose = [pasted: PastedCells, from: Cell | null, hadFocus: boolean]

const noKeys = { shiftKey: false, ctrlKey: false, metaKey: false }

/** The actions of keys and pointer on a sheet as it is rendered. */
export class SheetActions<Row> {
  readonly #parts: SheetParts<Row>
  readonly #writer: CellWriter<Row>

  constructor(parts: SheetParts<Row>) {
    this.#parts = parts
    const { props, whole, focus } = parts
    this.#writer = new CellWriter({
      ...props,
      order: whole,
      fixed: props.fixed.rows,
      state: focus.state,
      rowOf: id => this.row(id),
      chosenRows: () => chosenRows(this.#chosen()),
    })
  }

  row(id: string): Row | null {
    const { rows, rowId } = this.#parts.props
    return rows.find(row => rowId(row) === id) ?? null
  }

  #isFixed(id: string): boolean {
    return this.#parts.props.fixed.rows.has(id)
  }

  /** Moves the focus; the choice of rows follows as in all tables. */
  go(next: Cell | null, extend = false): void {
    if (!next) return
    const { focus, choice, props, order, show } = this.#parts
    const { cell } = focus.state
    if (!order.rows.includes(next.row)) show(next.row)
    focus.focusCell(next, extend)
    if (next.row === newRow || next.row === headRow || this.#isFixed(next.row)) this.#chooseNone()
    else if (cell && next.row !== cell.row && props.rows.length > 0)
      choice.follow(cell.row, next.row, { ...noKeys, shiftKey: extend })
  }

  /** Opens the editor of the current cell. `text`: typed over the value; null: with the value. */
  edit(text: string | null): void {
    const { focus, props } = this.#parts
    const cell = text === null ? focus.state.cell : this.#typedCell()
    const column = cell ? this.#writer.column(cell.column) : undefined
    if (!cell || !column || cell.row === headRow) return
    const row = this.row(cell.row)
    const isLocked = row !== null && column.isEditable?.(row) === false
    if (props.locked === null && !isLocked) {
      const editing = { text: text ?? this.#writer.textIn(cell), isTyped: text !== null }
      focus.setState({ ...focus.state, cell, editing })
    } else if (this.#isFixed(cell.row)) notify('info', props.fixed.reason)
    else if (text === null && row !== null && column.opens) props.onOpen(row)
    else if (text === null && props.locked !== null) notify('info', props.locked)
  }

  /** The cell that typing begins in: in a range that begins with names that are only shown, the first one that takes text. */
  #typedCell(): Cell | null {
    const { focus, whole, props } = this.#parts
    const { cell } = focus.state
    const range = rangeOf(focus.state, whole)
    const row = cell && this.row(cell.row)
    if (!range || !isRange(range) || !row) return cell
    const inRange = whole.columns.slice(range.left, range.right + 1)
    const takesText = (id: string) => props.columns.some(one => one.id === id && one.isEditable?.(row) !== false)
    return takesText(cell.column) ? cell : { row: cell.row, column: inRange.find(takesText) ?? cell.column }
  }

  apply(edited: Cell, text: string, after: After): void {
    const { focus, whole } = this.#parts
    if (after === 'fill') {
      this.#writer.fillWith(text)
      return focus.focusCell(edited, true)
    }
    const at = { row: this.#writer.write(edited, text), column: edited.column }
    // A new row is known to the order only after the next render.
    const rows = whole.rows.includes(at.row) ? whole.rows : [...whole.rows.slice(0, -1), at.row, newRow]
    const known = { ...whole, rows }
    // The focus may be in another cell already.
    if (after === 'leave') focus.setState(now => (isSameCell(now.cell, edited) ? atCell(now, at, known) : now))
    else if (after === 'stay') focus.focusCell(at)
    else this.go(after === 'down' || after === 'up' ? this.#below(at, after, known) : this.#beside(at, after, known))
  }

  cancel(): void {
    const { cell } = this.#parts.focus.state
    if (cell) this.#parts.focus.focusCell(cell, true)
  }

  /** Writes another text in place of one that the current cell could not take; null drops it. */
  replace(text: string | null): void {
    const { focus, props } = this.#parts
    const { cell } = focus.state
    if (!cell) return
    if (text === null) props.onRevert(cell.row, cell.column)
    else this.#writer.write(cell, text)
    focus.focusCell(cell)
  }

  /** Writes the offers for all cells in the column of the current one. */
  takeOffers(): void {
    const { focus, props } = this.#parts
    const { cell } = focus.state
    if (!cell) return
    props.onTakeOffers(cell.column)
    focus.focusCell(cell)
  }

  /** False if no cell is marked. */
  toMarked(step: 1 | -1): boolean {
    const { focus, whole, props } = this.#parts
    if (props.problems.size === 0) return false
    const isMarked = (row: string, column: string) => props.problems.get(row)?.has(column) ?? false
    this.go(nextMarked(focus.state.cell, step, whole, isMarked))
    return true
  }

  reorder(next: string[] | null, id: string): void {
    const { props, announce, movable } = this.#parts
    const row = this.row(id)
    if (!next || !props.onReorder || !row) return
    props.onReorder(next)
    const total = props.rows.length
    announce(`${props.rowName(row)} is now at position ${total - movable.length + next.indexOf(id) + 1} of ${total}.`)
  }

  /** Handles a key on a cell. */
  press(event: KeyboardEvent): void {
    const { cell, editing } = this.#parts.focus.state
    if (!cell || editing || cellOf(event.target) === null) return
    if (this.#moves(event, cell) || this.#changes(event, cell)) event.preventDefault()
  }

  /** Handles keys that move the focus. */
  #moves(event: KeyboardEvent, cell: Cell): boolean {
    const { key, shiftKey } = event
    const { order, whole, memory } = this.#parts
    if (event.altKey) return this.#movesRow(key, cell) || this.#leaves(key, cell)
    if (cell.row === headRow && shiftKey && key.startsWith('Arrow')) return this.#resizes(cell.column, key)
    // The last row is below each page, and no part of a range that begins elsewhere.
    const within = cell.row !== newRow ? (shiftKey ? withoutNewRow(whole) : whole) : shiftKey ? whole : order
    const next = cellAfter(cell, event, within, rowsInView(event.currentTarget))
    if (next) {
      memory.tabStart = null
      this.go(next, shiftKey && next.row !== headRow)
      return true
    }
    if (key === 'Tab') return this.#tabs(cell, shiftKey)
    if (key === 'Escape') return this.#escapes(cell)
    if (key === 'Enter' && !event.ctrlKey && !event.metaKey)
      this.go(this.#below(cell, shiftKey ? 'up' : 'down', cell.row === newRow ? order : whole))
    else if (key === 'F8') return this.toMarked(shiftKey ? -1 : 1)
    else return false
    return true
  }

  /** Handles keys that change something. */
  #changes(event: KeyboardEvent, cell: Cell): boolean {
    const { key, altKey } = event
    const isBox = cell.column === boxColumn
    const isCommand = event.ctrlKey || event.metaKey
    // An input method takes the key: its composition goes on in the editor, which has the focus before the key has its effect.
    if ((key === 'Process' || event.nativeEvent.isComposing) && !isBox) return this.#composes()
    if (altKey || (key === 'F2' && isBox)) return this.#renamesInPanel(key, cell)
    if (key === 'F2') this.edit(null)
    else if (key === ' ' && !isCommand) this.#space(cell, event.shiftKey)
    else if (key === 'Delete' && !isBox && !this.chosenCells()?.isWhole) this.#writer.clear()
    else if (key === 'Delete' || (isCommand && key === '-')) this.#remove()
    else if (isCommand && key === 'd') this.#writer.fillDown()
    else if (isCommand && key.toLowerCase() === 'a') this.#chooseAll()
    else if (key.length === 1 && !isCommand && !isBox) this.edit(key)
    else return false
    this.#parts.memory.isFlowing = true
    return true
  }

  #composes(): false {
    this.edit('')
    this.#parts.memory.isFlowing = true
    return false
  }

  #movesRow(key: string, cell: Cell): boolean {
    if (key !== 'ArrowUp' && key !== 'ArrowDown') return false
    const { selected } = this.#parts.props
    const rows = selected.size > 1 ? selected : new Set([cell.row])
    this.reorder(stepped(this.#parts.movable, rows, key === 'ArrowUp' ? -1 : 1), cell.row)
    this.#parts.focus.focusCell(cell)
    return true
  }

  #leaves(key: string, cell: Cell): boolean {
    if (key !== 'PageDown' && key !== 'PageUp') return false
    this.#parts.props.onNeighbour(key === 'PageDown' ? 1 : -1, cell)
    return true
  }

  /** Enter after Tab returns to the column where Tab began. */
  #below({ row, column }: Cell, way: 'down' | 'up', order: SheetOrder): Cell | null {
    const { memory } = this.#parts
    const start = { row, column: memory.tabStart ?? column }
    memory.tabStart = null
    return cellAfter(start, { ...noKeys, key: way === 'down' ? 'ArrowDown' : 'ArrowUp' }, order, 1)
  }

  #beside(cell: Cell, way: 'right' | 'left', order: SheetOrder): Cell | null {
    this.#parts.memory.tabStart ??= cell.column
    return nextCell(cell, way === 'right' ? 1 : -1, order)
  }

  /** Tab goes on in a sheet that is being edited; else it leaves the sheet. */
  #tabs(cell: Cell, isBack: boolean): boolean {
    const { memory, order, whole } = this.#parts
    const within = cell.row === newRow ? order : whole
    const next = memory.isFlowing ? this.#beside(cell, isBack ? 'left' : 'right', within) : null
    this.go(next)
    return next !== null
  }

  #escapes(cell: Cell): boolean {
    const { memory, focus, whole, props } = this.#parts
    memory.isFlowing = false
    const range = rangeOf(focus.state, whole)
    if (range && isRange(range)) focus.focusCell(cell)
    const isChosen = props.selected.size > 0
    this.#chooseNone()
    return isChosen
  }

  /** The global command does the rest. */
  #renamesInPanel(key: string, { row }: Cell): false {
    if (key === 'F2' && this.#parts.choosable.includes(row)) this.#parts.choice.choose(row)
    return false
  }

  #resizes(column: string, key: string): boolean {
    const { props, announce } = this.#parts
    const width = props.widths[column]
    const step = { ArrowLeft: -16, ArrowRight: 16 }[key]
    if (width === undefined || step === undefined) return false
    props.onResize(column, width + step)
    announce(`${this.#writer.column(column)?.header ?? ''}: ${width + step} pixels wide`)
    return true
  }

  #space(cell: Cell, shift: boolean): void {
    if (this.#writer.column(cell.column)?.flag && !shift) this.#writer.toggleFlags()
    else if (this.#parts.choosable.includes(cell.row)) this.#parts.choice.pin(cell.row)
  }

  #remove(): void {
    const { selected, locked, undeletable, onDelete } = this.#parts.props
    const reason = locked ?? undeletable
    if (selected.size === 0) return
    if (reason) notify('info', reason)
    else onDelete(this.chosenCells())
  }

  #chooseNone(): void {
    const { selected, onSelect } = this.#parts.props
    if (selected.size > 0) onSelect(new Set())
  }

  #chooseAll(): void {
    const { whole } = this.#parts
    const rows = whole.rows.filter(id => id !== headRow && id !== newRow)
    this.#chooseBlock(blockOf({ rows, columns: whole.columns.slice(1) }, whole), false)
  }

  #chooseBlock(block: ChosenBlock | null, takesFocus: boolean): void {
    const { choice, focus, order, show } = this.#parts
    if (!block) return
    const { rows, first, last } = block
    const isShown = order.rows.includes(first.row)
    if (!isShown) show(first.row)
    if (takesFocus || !isShown) focus.focusCell(first)
    focus.setState({ ...atCell(focus.state, first, order), anchor: last })
    choice.choose(
      first.row,
      rows.filter(id => !this.#isFixed(id)),
    )
  }

  /** Chooses what was pasted, unless the focus went to another cell. */
  choosePasted(...[pasted, from, hadFocus]: ToChoose): void {
    const { focus, whole } = this.#parts
    const { cell, editing } = focus.state
    if (editing || (cell !== null && !isSameCell(from, cell))) return
    this.#chooseBlock(blockOf(pasted, whole), hadFocus)
  }

  /** The chosen cells, or all cells of the chosen rows. */
  chosenCells(): CopiedCells | null {
    return copiedCells(this.#chosen())
  }

  /** The cells that a menu at an element of a row applies to: the chosen ones if it is one of them. */
  cellsAt(target: Element, row: string): CopiedCells | null {
    const columns = this.#parts.order.columns.filter(id => id !== boxColumn)
    const column = cellOf(target)?.column ?? boxColumn
    const chosen = this.chosenCells()
    if (chosen?.rows.includes(row) && (column === boxColumn || chosen.columns.includes(column))) return chosen
    return { rows: [row], columns: column === boxColumn ? columns : [column], isWhole: column === boxColumn }
  }

  #isInRange({ row, column }: Cell): boolean {
    const { focus, whole } = this.#parts
    const range = rangeOf(focus.state, whole)
    if (!range) return false
    const isWithin = (at: number, first: number, last: number) => at >= first && at <= last
    return (
      isWithin(whole.rows.indexOf(row), range.top, range.bottom) &&
      isWithin(whole.columns.indexOf(column), range.left, range.right)
    )
  }

  /** A text field in a cell has a clipboard of its own. */
  copy(event: ClipboardEvent, isCut = false): CopiedCells | null {
    const { props, focus, announce } = this.#parts
    const cells = focus.state.editing ? null : this.chosenCells()
    if (!cells) return null
    event.preventDefault()
    props.clipboard.copy(cells, event.clipboardData, isCut)
    const count = cells.rows.length === 1 ? 'a row' : `${cells.rows.length} rows`
    // Nothing in the sheet shows it.
    if (isCut && cells.isWhole && props.clipboard.movesRows) notify('info', `Cut ${count}, to be moved by Paste.`)
    else announce(`Copied ${count}.`)
    return cells
  }

  cut(event: ClipboardEvent): void {
    const { locked, clipboard, onDelete } = this.#parts.props
    const cells = this.copy(event, locked === null)
    if (!cells || locked !== null) return
    if (!cells.isWhole) this.#writer.clear()
    else if (!clipboard.movesRows) onDelete(cells)
  }

  paste(event: ClipboardEvent): void {
    const { focus, props } = this.#parts
    const { cell } = focus.state
    if (cell && this.#isFixed(cell.row) && !focus.state.editing) return notify('info', props.fixed.reason)
    const place = focus.state.editing ? null : pastePlace(this.#chosen())
    if (!place) return
    event.preventDefault()
    this.#insert(place, event.clipboardData, true)
  }

  /** Adds what is pasted while nothing has the focus that takes it. */
  append(data: DataTransfer, takesFocus: boolean): void {
    const columns = this.#parts.order.columns.filter(id => id !== boxColumn)
    this.#insert({ rows: [], columns, chosen: { rows: 1, columns: 1 } }, data, takesFocus)
  }

  #insert(place: PastePlace, data: DataTransfer, hasFocus: boolean): void {
    const { props, focus, choosePasted } = this.#parts
    if (props.locked !== null) return notify('info', props.locked)
    const { cell } = focus.state
    void props.clipboard.paste(place, data).then(pasted => pasted && choosePasted(pasted, cell, hasFocus))
  }

  #chosen() {
    const { props, whole, choosable, focus } = this.#parts
    return { order: whole, range: rangeOf(focus.state, whole), rows: choosable, selected: props.selected }
  }

  pressMouse(event: MouseEvent): void {
    const { focus, memory, order } = this.#parts
    const { cell, editing } = focus.state
    const place = cellOf(event.target)
    // A menu applies to the range that it opens on.
    if (place && event.button === 2 && !editing && this.#isInRange(place)) event.preventDefault()
    if (!place || event.button !== 0) return
    memory.isFlowing = true
    memory.tabStart = null
    memory.wasCurrent = isSameCell(cell, place)
    if (memory.wasCurrent && editing) return
    // The last row is below each page, so that no range begins or ends there by pointer.
    if (!event.shiftKey || [place.row, cell?.row].includes(newRow))
      return focus.setState(atCell(focus.state, place, order))
    // The browser would mark text.
    event.preventDefault()
    focus.focusCell(place, true)
  }

  click(event: MouseEvent): void {
    const { focus, memory, choice } = this.#parts
    const place = cellOf(event.target)
    const isControl =
      event.target instanceof Element && event.target.closest('[role=checkbox], button:not([data-cell-part])') !== null
    if (!place || isControl || focus.state.editing || place.row === headRow) return
    if (place.row === newRow || this.#isFixed(place.row)) return this.#chooseNone()
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey
    // The first click chooses the cell.
    if (isPlain && memory.wasCurrent && this.#writer.column(place.column)?.flag) this.#writer.toggleFlags()
    choice.press(place.row, event)
  }

  leave({ currentTarget, relatedTarget }: FocusEvent): void {
    const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
    if (!isInside) this.#parts.memory.isFlowing = false
  }

  doubleClick(event: MouseEvent): void {
    const place = cellOf(event.target)
    if (place && !this.#parts.focus.state.editing && !this.#writer.column(place.column)?.flag) this.edit(null)
  }
}

function withoutNewRow({ rows, columns }: SheetOrder): SheetOrder {
  return { rows: rows.filter(id => id !== newRow), columns }
}

/** Number of rows that PageUp and PageDown move by. */
function rowsInView(table: Element): number {
  const row = table.querySelector<HTMLElement>('[data-row-id]')?.offsetHeight ?? 0
  const view = table.closest('[data-scroller]')?.clientHeight ?? 0
  return row > 0 ? Math.max(1, Math.floor(view / row) - 3) : 10
}
