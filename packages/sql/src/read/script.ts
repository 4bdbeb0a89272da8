import type { DatabaseType } from '@cadmus/model/database-types'
import { Context } from './context.ts'
import { Cursor } from './cursor.ts'
import { Lexer } from './lexer.ts'
import { LineIndex } from './line-index.ts'
import { ReadSchema } from './read-schema.ts'
import { dialectOf, ownDialectOf } from './script-dialect.ts'
import type { SqlModel, SqlRemark } from './sql-model.ts'
import { readStatements } from './statements.ts'
import { toSqlTables } from './to-model.ts'

/** So many remarks are kept, and counted beyond; a hostile script could have millions. */
const mostRemarks = 100_000

/**
 * Reads the tables of a script: one of ours, or what the databases' own tools write of a schema. Whose SQL it is can be told from
 * the script. Throws SqlError where it cannot be read; what says nothing of tables, or something that no model has a word for, is
 * in the remarks.
 */
export function readScript(text: string, dialect: DatabaseType = dialectOf(text)): SqlModel {
  const lines = new LineIndex(text)
  const remarks = new Remarks()
  const lexer = new Lexer(text, dialect, lines, comment => remarks.comment(comment))
  const remark = (line: number, message: string) => remarks.add(line, message)
  const isOwn = ownDialectOf(text) !== undefined
  const context = new Context({ cursor: new Cursor(lexer), dialect, isOwn, schema: new ReadSchema(), lines, remark })
  readStatements(context)
  const tables = toSqlTables(context)
  return { dialect, tables, remarks: remarks.list() }
}

class Remarks {
  readonly #list: SqlRemark[] = []
  readonly #known = new Set<string>()
  #unlisted = 0
  /** Whether the notes at the end of one of our scripts have begun. */
  #isNoting = false

  add(line: number, whole: string): void {
    // Names of any length come from a script.
    const message = whole.length <= 500 ? whole : `${whole.slice(0, 240)} … ${whole.slice(-240)}`
    const key = `${line} ${message}`
    if (this.#known.has(key)) return
    if (this.#keep({ line, message })) this.#known.add(key)
  }

  /** Our own scripts end with what they say less than their model. */
  comment(text: string): void {
    if (this.#isNoting && text !== '') this.#keep({ line: 0, message: `The script itself says: ${text}` })
    this.#isNoting ||= /^(?:One note|\d+ notes): what this schema says less or otherwise than the model\.$/.test(text)
  }

  /** In the order of the lines; the script's own notes last. */
  list(): SqlRemark[] {
    const place = ({ line }: SqlRemark) => line || Number.MAX_SAFE_INTEGER
    const sorted = this.#list.toSorted((a, b) => place(a) - place(b))
    if (this.#unlisted === 0) return sorted
    const message = `${this.#unlisted === 1 ? 'One more remark is' : `${this.#unlisted} more remarks are`} not listed.`
    return [...sorted, { line: 0, message }]
  }

  #keep(remark: SqlRemark): boolean {
    const isKept = this.#list.length < mostRemarks
    if (isKept) this.#list.push(remark)
    else this.#unlisted += 1
    return isKept
  }
}
