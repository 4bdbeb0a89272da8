import type { SheetColumn } from './SheetRow.tsx'
import { type Cell, type CellText, newRow, rangeOf, type SheetOrder, type SheetState } from './sheet-state.ts'

export type Problems = ReadonlyMap<string, ReadonlyMap<string, CellText>>

export type WriterOptions<Row> = {
  state: SheetState
  order: SheetOrder
  columns: readonly SheetColumn<Row>[]
  rowOf: (id: string) => Row | null
  /** The rows that are chosen beside the range, and so are written instead of its rows. */
  chosenRows: () => readonly string[] | null
  problems: Problems
  /** Ids of rows that are only shown. */
  fixed: Pick<ReadonlySet<string>, 'has'>
  locked: string | null
  onWrite: (rows: readonly string[], columns: readonly string[], texts: readonly (readonly string[])[]) => string[]
}

type Block = { rows: readonly string[]; columns: readonly string[] }

/** Changes the chosen cells of a sheet, each time as one step. */
export class CellWriter<Row> {
  readonly #options: WriterOptions<Row>

  constructor(options: WriterOptions<Row>) {
    this.#options = options
  }

  column(id: string): SheetColumn<Row> | undefined {
    return this.#options.columns.find(column => column.id === id)
  }

  /** The text of a cell, or the one that it could not take. */
  textIn({ row, column }: Cell): string {
    const { problems, rowOf } = this.#options
    const present = rowOf(row)
    return problems.get(row)?.get(column)?.text ?? (present ? this.column(column)?.text(present) : '') ?? ''
  }

  /** Writes a text into one cell; returns the id of its row, which may be a new one. */
  write(cell: Cell, text: string): string {
    if (text === this.textIn(cell)) return cell.row
    const [id = cell.row] = this.#options.onWrite([cell.row], [cell.column], [[text]])
    return id
  }

  fillWith(text: string): void {
    const block = this.#block()
    if (block) this.#fill(block, () => text)
  }

  clear(): void {
    const block = this.#existing(this.#block())
    if (block) this.#fill(block, () => '')
  }

  /** Copies the first row of the chosen ones or of the range, or the row above a single one. */
  fillDown(): void {
    const block = this.#existing(this.#block())
    const [first] = block?.rows ?? []
    if (!block || first === undefined) return
    const { order, rowOf } = this.#options
    const isSingle = block.rows.length === 1
    const source = rowOf(isSingle ? (order.rows[order.rows.indexOf(first) - 1] ?? '') : first)
    const targets = isSingle ? block.rows : block.rows.slice(1)
    if (source) this.#fill({ ...block, rows: targets }, id => this.column(id)?.text(source) ?? '')
  }

  /** Gives all flags of the range the opposite of the current one. */
  toggleFlags(): void {
    const { cell } = this.#options.state
    const block = this.#block()
    if (!cell || !block) return
    const columns = block.columns.filter(id => this.column(id)?.flag)
    const rows = cell.row === newRow ? [newRow] : block.rows.filter(id => id !== newRow)
    const text = this.textIn(cell) === 'yes' ? 'no' : 'yes'
    this.#fill({ rows, columns }, () => text)
  }

  /** The chosen rows or those of the range, and its columns, without boxes and head; null if nothing can be edited. */
  #block(): Block | null {
    const { state, order, chosenRows, fixed, locked } = this.#options
    const range = rangeOf(state, order)
    if (!range || locked !== null) return null
    return {
      rows: chosenRows() ?? order.rows.slice(Math.max(1, range.top), range.bottom + 1).filter(id => !fixed.has(id)),
      columns: order.columns.slice(Math.max(1, range.left), range.right + 1),
    }
  }

  #existing(block: Block | null): Block | null {
    return block && { ...block, rows: block.rows.filter(id => id !== newRow) }
  }

  #fill({ rows, columns }: Block, textOf: (column: string) => string): void {
    if (rows.length === 0 || columns.length === 0) return
    const texts = columns.map(textOf)
    this.#options.onWrite(
      rows,
      columns,
      rows.map(() => texts),
    )
  }
}
