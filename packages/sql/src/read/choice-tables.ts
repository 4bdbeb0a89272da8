import { choicesHeader } from '../choice-options.ts'
import type { ScriptDatabase } from '../databases.ts'
import { decodedName } from '../script-names.ts'
import type { Context } from './context.ts'
import { Cursor } from './cursor.ts'
import { parseExpression } from './expression-parser.ts'
import type { Expression } from './expression.ts'
import { Lexer } from './lexer.ts'
import type { RawTable } from './read-schema.ts'
import { LineIndex, SqlError, type Token } from './token.ts'

/** More values are in no script of ours. */
const maxValues = 200_000

/** The values of tables of choices in the comments of a generated script. */
export class ChoiceTables {
  readonly #dialect: ScriptDatabase
  #isListing = false
  #count = 0
  readonly #values = new Map<string, Expression[]>()

  constructor(dialect: ScriptDatabase) {
    this.#dialect = dialect
  }

  comment(text: string): void {
    if (!this.#isListing) {
      this.#isListing = text === choicesHeader
      return
    }
    const [, table, literal] = /^([^:\s]+): (\S+)$/.exec(text) ?? []
    this.#count += 1
    this.#isListing = table !== undefined && literal !== undefined && this.#count <= maxValues
    if (!this.#isListing) return
    const name = decodedName(table ?? '')
    const value = this.#expression(decodedName(literal ?? '') ?? '')
    if (name === null || !value) return
    const values = this.#values.get(name) ?? []
    values.push(value)
    this.#values.set(name, values)
  }

  /** Columns that refer to such a table have its values as choices; the table is none of the model. */
  apply(context: Context): void {
    for (const [name, values] of this.#values) {
      const table = context.schema.tables.find([name])
      if (table?.name === name) restoreChoices(context, table, values)
    }
  }

  #expression(literal: string): Expression | null {
    const cursor = new Cursor(new Lexer(literal, this.#dialect, { lines: new LineIndex(literal) }))
    const tokens: Token[] = []
    try {
      while (cursor.peek().kind !== 'end') tokens.push(cursor.take())
    } catch (error) {
      if (!(error instanceof SqlError)) throw error
      return null
    }
    return parseExpression(tokens)
  }
}

function restoreChoices(context: Context, table: RawTable, values: readonly Expression[]): void {
  const { schema } = context
  const keys = [...table.referrers]
  if (keys.some(({ columns }) => columns.length !== 1)) return
  for (const key of keys) {
    const [column] = key.columns
    if (!column) continue
    context.countParts(values.length)
    schema.deletePart(key)
    const left: Expression = { kind: 'column', name: column.name }
    schema.addPart({
      kind: 'check',
      name: '',
      stated: '',
      schema: key.schema,
      line: key.line,
      table: key.table,
      columns: key.columns,
      column,
      named: new Map([[column.name, column]]),
      expression: { kind: 'in', left, parts: values },
      span: [0, 0],
    })
  }
  schema.drop(table, 'alone')
}
