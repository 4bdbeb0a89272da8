import type { ScriptDatabase } from '../databases.ts'
import type { Cursor } from './cursor.ts'
import { type LineIndex, shown, type Token } from './token.ts'
import type { ReadSchema } from './read-schema.ts'
import type { SqlRemark } from './sql-model.ts'

/** Limits the memory that a hostile script can take. */
const maxScriptColumns = 1_000_000

/** State shared by the statements of one script. */
export class Context {
  readonly cursor: Cursor
  readonly dialect: ScriptDatabase
  /** Whether the script was generated from a model, whose number types then follow from the notation. */
  readonly isOwn: boolean
  readonly schema: ReadSchema
  readonly #remark: (remark: SqlRemark) => void
  readonly #lines: LineIndex
  readonly #remarked = new Set<string>()
  #columns = 0

  constructor(options: {
    cursor: Cursor
    dialect: ScriptDatabase
    isOwn: boolean
    schema: ReadSchema
    lines: LineIndex
    remark: (remark: SqlRemark) => void
  }) {
    this.cursor = options.cursor
    this.dialect = options.dialect
    this.isOwn = options.isOwn
    this.schema = options.schema
    this.#remark = options.remark
    this.#lines = options.lines
  }

  lineOf({ at }: Pick<Token, 'at'>): number {
    return this.#lines.position(at).line
  }

  /** Reports a part of the script that has no place in the model. */
  lost(line: number, message: string): void {
    this.#remark({ line, kind: 'lost', message })
  }

  /** Reports a part of the script that is in the model in another form. */
  changed(line: number, message: string): void {
    this.#remark({ line, kind: 'changed', message })
  }

  /** For remarks that a script can cause thousands of times. */
  remarkOnce(remark: SqlRemark): void {
    if (!this.#remarked.has(remark.message)) this.#remark(remark)
    this.#remarked.add(remark.message)
  }

  quoted(text: string): string {
    return `'${shown(text)}'`
  }

  countColumn(at: Token): void {
    this.#columns += 1
    if (this.#columns > maxScriptColumns) this.cursor.failAt(`the script has more than ${maxScriptColumns} columns`, at)
  }
}
