import type { ScriptDialect } from '../database-kind.ts'
import { databases, type ScriptDatabase } from '../databases.ts'
import { withoutGuards } from '../existing-objects.ts'
import { ChoiceTables } from './choice-tables.ts'
import { Context } from './context.ts'
import { noCounts, sumOf } from './counts.ts'
import { Cursor } from './cursor.ts'
import { declaredCounts, tablesOfModel } from './declared.ts'
import { readEnumerations } from './enumerations.ts'
import { Lexer } from './lexer.ts'
import { remarkOtherObjects } from './other-statements.ts'
import { ModelNames } from './model-names.ts'
import { LineIndex, shown } from './token.ts'
import { type RawTable, ReadSchema } from './read-schema.ts'
import type { SqlModel, SqlRemark } from './sql-model.ts'
import { readStatements } from './statements.ts'
import { toSqlTables } from './to-model.ts'
import { ownDialectOf, weighDatabases } from './weigh.ts'

/** Further remarks are only counted: a hostile script could cause millions. */
const maxRemarks = 100_000

/**
 * Reads the tables of a script that was generated from a model or exported by a database's own tools. Statements
 * without meaning for tables and unsupported clauses become remarks. Throws SqlError if the script cannot be parsed.
 */
export function readScript(script: string, database?: ScriptDatabase): SqlModel {
  const evidence = database === undefined ? weighDatabases(script) : []
  const dialect = database ?? evidence[0]?.database ?? 'postgresql'
  const isOwn = ownDialectOf(script) !== undefined
  const text = isOwn ? withoutGuards(script, dialect) : script
  const lines = new LineIndex(text)
  const remarks = new Remarks()
  const modelNames = new ModelNames()
  const choiceTables = new ChoiceTables(dialect)
  const lexer = new Lexer(text, dialect, {
    lines,
    onComment: comment => {
      remarks.comment(comment.slice(0, 1000))
      modelNames.comment(comment)
      choiceTables.comment(comment)
    },
    onCommand: (line, at) => remarks.command(line, lines.position(at).line),
    onPlaceholder: isOwn ? undefined : (one, at) => remarks.placeholder(one, () => lines.position(at).line),
  })
  const remark = (one: SqlRemark, subject: RawTable | null) => remarks.add(one, subject)
  const { usualSchema }: ScriptDialect = databases[dialect].read
  const context = new Context({
    cursor: new Cursor(lexer),
    dialect,
    isOwn,
    schema: new ReadSchema(usualSchema ?? ''),
    lines,
    remark,
  })
  readStatements(context)
  if (isOwn) choiceTables.apply(context)
  remarks.endStatements()
  // Things that did not get into the tables.
  const declared = sumOf(declaredCounts(context), remarks.listed)
  const { all: enumerations, numbers: enumerationNumbers } = readEnumerations(context)
  const tables = modelNames.restored(toSqlTables(context, enumerationNumbers))
  remarkOtherObjects(context)
  const counts = { declared, taken: context.taken, listed: remarks.listed }
  const numbers = new Map(tablesOfModel(context).map((table, index) => [table, index]))
  return { dialect, evidence, tables, enumerations, remarks: remarks.list(numbers), counts }
}

/** The second alternative is the header in scripts of earlier releases. */
const notesHeader =
  /^(?:One note|\d+ notes): (?:differences of this schema from|what this schema says less or otherwise than) the model\.$/

type Remark = SqlRemark & { subject: RawTable | null }

class Remarks {
  readonly #list: Remark[] = []
  /** The remarks on statements, which are repeated when a statement is read again. */
  #seen: Set<string> | null = new Set()
  /** The things that are not in the model. */
  readonly listed = noCounts()
  readonly #placeholders = new Set<string>()
  #unlisted = 0
  #areLost = false
  /** Whether the notes at the end of a generated script have begun. */
  #isNoting = false

  add({ line, kind, message: whole, name: wholeName, of }: SqlRemark, subject: RawTable | null = null): void {
    // A script can contain names of any length.
    const message = whole.length <= 500 ? whole : `${whole.slice(0, 240)} … ${whole.slice(-240)}`
    const name = wholeName === undefined ? undefined : shown(wholeName, 200)
    const key = `${line} ${message} ${name ?? ''}`
    if (this.#seen?.has(key)) return
    const remark: Remark = { line, kind, message, ...(name !== undefined && { name }), subject }
    if (of) this.listed[of] += 1
    if (this.#push(remark)) this.#seen?.add(key)
  }

  /** From here on, equal remarks are on different things. */
  endStatements(): void {
    this.#seen = null
  }

  /** A command of psql, of which only those that read another file matter. */
  command(text: string, line: number): void {
    if (/^\\(?:i|ir|include|include_relative)\s/.test(text))
      this.add({ line, kind: 'lost', message: `The script that '${shown(text)}' reads is not imported.` })
  }

  /** A placeholder, which is reported once. */
  placeholder(text: string, lineOf: () => number): void {
    if (this.#placeholders.has(text)) return
    this.#placeholders.add(text)
    this.add({ line: lineOf(), kind: 'changed', message: `The placeholder '${shown(text)}' is read as a name.` })
  }

  /** A generated script ends with its differences from the model. */
  comment(text: string): void {
    if (this.#isNoting && text !== '')
      this.#push({ line: 0, kind: 'note', message: `Note in the script: ${text}`, subject: null })
    this.#isNoting ||= notesHeader.test(text)
  }

  /** Remarks sorted by line; those of the whole script last. */
  list(tables: ReadonlyMap<RawTable, number>): SqlRemark[] {
    const order = ({ line }: SqlRemark) => line || Number.MAX_SAFE_INTEGER
    const sorted = this.#list
      .toSorted((a, b) => order(a) - order(b))
      .map(({ subject, ...remark }) => {
        const table = numberOf(subject, tables)
        return table === undefined ? remark : { ...remark, table }
      })
    if (this.#unlisted === 0) return sorted
    const message = `${this.#unlisted === 1 ? 'One more remark is' : `${this.#unlisted} more remarks are`} not listed.`
    return [...sorted, { line: 0, kind: this.#areLost ? 'lost' : 'note', message }]
  }

  #push(remark: Remark): boolean {
    const isListed = this.#list.length < maxRemarks
    if (isListed) this.#list.push(remark)
    else {
      this.#unlisted += 1
      this.#areLost ||= remark.kind === 'lost'
    }
    return isListed
  }
}

/** A partition belongs to its table. */
function numberOf(subject: RawTable | null, tables: ReadonlyMap<RawTable, number>): number | undefined {
  let table = subject
  while (table?.partitionOf) table = table.partitionOf
  return table ? tables.get(table) : undefined
}
