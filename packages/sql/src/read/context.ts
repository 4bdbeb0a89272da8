import type { DatabaseType } from '@cadmus/model/database-types'
import type { Cursor } from './cursor.ts'
import type { LineIndex } from './line-index.ts'
import type { ReadSchema } from './read-schema.ts'
import { shown } from './sql-error.ts'
import type { Token } from './token.ts'

/** So many columns no schema has; a script of nothing but columns could. */
const mostColumns = 1_000_000

/** What the statements of one script share. */
export class Context {
  readonly cursor: Cursor
  readonly dialect: DatabaseType
  /** Whether it is one of our own scripts, in which a number says by how it is written what it is in the model. */
  readonly isOwn: boolean
  readonly schema: ReadSchema
  readonly remark: (line: number, message: string) => void
  readonly #lines: LineIndex
  readonly #told = new Set<string>()
  #columns = 0

  constructor(given: {
    cursor: Cursor
    dialect: DatabaseType
    isOwn: boolean
    schema: ReadSchema
    lines: LineIndex
    remark: (line: number, message: string) => void
  }) {
    this.cursor = given.cursor
    this.dialect = given.dialect
    this.isOwn = given.isOwn
    this.schema = given.schema
    this.remark = given.remark
    this.#lines = given.lines
  }

  lineOf({ at }: Pick<Token, 'at'>): number {
    return this.#lines.place(at).line
  }

  /** What a script may give thousands of reasons for is told of the first. */
  remarkOnce(line: number, message: string): void {
    if (!this.#told.has(message)) this.remark(line, message)
    this.#told.add(message)
  }

  quoted(text: string): string {
    return `'${shown(text)}'`
  }

  countColumn(at: Token): void {
    this.#columns += 1
    if (this.#columns > mostColumns) this.cursor.failAt(`the script has more than ${mostColumns} columns`, at)
  }
}
