import { type Column, isTypeAttribute } from '../columns.ts'
import { clearedBy } from '../edits/entity-actions.ts'
import { isEqual } from '../equal.ts'
import { limits } from '../limits.ts'
import { sheetTexts } from '../messages/sheet.ts'
import { shapeProblems } from '../rules/entity.ts'
import type { TypeAttribute } from '../type-attribute.ts'
import type { CellContext, CellRefusal, SheetColumn } from './columns.ts'

/** A cell whose text could not be read, or whose value breaks a rule. `offer`: a text that it could take. */
export type CellProblem = CellRefusal & { text: string }

/** The change of one row by the texts of its cells. */
export class RowChange {
  /** New values by field. */
  readonly change: Record<string, unknown> = {}
  /** By id of the column. */
  readonly problems: Map<string, CellProblem>
  readonly #base: Column
  /** The column that gave a field its value, with its text. */
  readonly #origins = new Map<string, { column: SheetColumn; text: string }>()
  #row: Column

  /** `problems`: those of the row so far. */
  constructor(base: Column, problems?: ReadonlyMap<string, CellProblem>) {
    this.#base = base
    this.#row = base
    this.problems = new Map(problems)
  }

  /** The row with the change. */
  get row(): Column {
    return this.#row
  }

  /** Cells are read in the order of their calls, each as a value of the row so far. */
  read(column: SheetColumn, text: string, context: CellContext): void {
    this.problems.delete(column.id)
    const { cell } = limits.paste
    if (text.length > cell) this.#refuse(column, text.slice(0, cell), { reason: sheetTexts.tooLong(cell, text.length) })
    else {
      const reading = column.read(text, this.#row, context)
      if ('reason' in reading) this.#refuse(column, text, reading)
      else this.set(column, text, reading.change)
    }
  }

  set(column: SheetColumn, text: string, change: Readonly<Record<string, unknown>>): void {
    const values: Readonly<Record<string, unknown>> = this.#row
    // A blank cell does not reset what the text of the type gave, such as the length in `varchar(40)`.
    const isNew = ([field, value]: [string, unknown]) =>
      !isEqual(value, values[field]) && !(text.trim() === '' && this.#origins.has(field))
    const fields = Object.fromEntries(Object.entries(change).filter(isNew))
    if (Object.keys(fields).length === 0) return
    const cleared = isTypeAttribute(this.#row) ? clearedBy(this.#row, fields) : {}
    const all = { ...cleared, ...fields }
    for (const field of Object.keys(all)) this.#origins.set(field, { column, text })
    Object.assign(this.change, all)
    this.#row = { ...this.#row, ...all }
  }

  /**
   * Takes back what breaks a rule of the row. Values that only a new type makes invalid stay; see `invalidCells`. `old`: the attribute
   * before, whose values are accepted.
   */
  check(old: TypeAttribute | undefined): void {
    for (;;) {
      const { row } = this
      const faults = isTypeAttribute(row) ? shapeProblems(row, old) : []
      const own = faults.filter(({ field = '' }) => Object.hasOwn(this.change, field))
      if (own.length === 0) return
      for (const { field = '', message } of own) this.takeBack(field, message)
    }
  }

  /** Takes back all that the cell of the field changed. */
  takeBack(field: string, reason: string): void {
    const cell = this.#origins.get(field)
    if (!cell) return
    this.#refuse(cell.column, cell.text, { reason })
    for (const [name, { column }] of this.#origins) if (column === cell.column) delete this.change[name]
    this.#row = { ...this.#base, ...this.change }
  }

  #refuse({ id }: SheetColumn, text: string, refusal: CellRefusal): void {
    this.problems.set(id, { ...refusal, text })
  }
}
