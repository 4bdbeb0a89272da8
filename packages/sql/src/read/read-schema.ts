import type { Expression } from './expression.ts'
import type { ReferentialAction } from '../tree.ts'

/** A type as written. `texts` are the values of an enumeration. */
export type RawType = {
  name: string
  args: readonly string[]
  texts: readonly string[]
  isUnsigned: boolean
  isArray: boolean
  charset: string
}

export type RawColumn = {
  name: string
  line: number
  type: RawType
  nullable: boolean
  default: Expression | null
  identity: boolean
  comment: string
}

export type RawForeignKey = {
  line: number
  columns: readonly string[]
  table: readonly string[]
  /** Empty if the foreign key refers to the primary key of the other table. */
  references: readonly string[]
  onDelete: ReferentialAction
}

/** The state of a table after the statements read so far, with names as written. */
export type RawTable = {
  name: string
  schema: string
  line: number
  comment: string
  columns: RawColumn[]
  primaryKey: readonly string[] | null
  /** `isOneNull`: only one row may have no value. */
  uniques: { columns: readonly string[]; line: number; isOneNull: boolean }[]
  indexes: { columns: readonly string[]; line: number }[]
  checks: { expression: Expression | null; line: number }[]
  foreignKeys: RawForeignKey[]
}

/** The tables of a script by name, built while it is read. */
export class ReadSchema {
  readonly #tables = new Set<RawTable>()
  /** Values of enumerations by lower-case name. */
  readonly enumerations = new Map<string, readonly string[]>()
  /** Definitions of named types by lower-case name. */
  readonly namedTypes = new Map<string, RawType>()
  /** Lower-case names of indexes created by statements of their own. */
  readonly indexNames = new Set<string>()
  readonly #exact = new Map<string, RawTable>()
  readonly #folded = new Map<string, RawTable>()
  readonly #columns = new WeakMap<RawTable, { counted: number; byName: Map<string, RawColumn> }>()

  /** In the order of their creation. */
  get tables(): readonly RawTable[] {
    return [...this.#tables]
  }

  add(table: RawTable): void {
    this.#tables.add(table)
    for (const key of [table.name, `${table.schema}.${table.name}`]) {
      if (!this.#exact.has(key)) this.#exact.set(key, table)
      if (!this.#folded.has(key.toLowerCase())) this.#folded.set(key.toLowerCase(), table)
    }
  }

  /** A table of the same name that is created later is a new one. */
  drop(table: RawTable): void {
    this.#tables.delete(table)
    for (const key of [table.name, `${table.schema}.${table.name}`]) {
      if (this.#exact.get(key) === table) this.#exact.delete(key)
      if (this.#folded.get(key.toLowerCase()) === table) this.#folded.delete(key.toLowerCase())
    }
  }

  /** The table with the exact name, else one that differs only in case. */
  find(parts: readonly string[]): RawTable | undefined {
    const name = parts.at(-1) ?? ''
    const schema = parts.at(-2)
    if (schema === undefined) return this.#exact.get(name) ?? this.#folded.get(name.toLowerCase())
    const key = `${schema}.${name}`
    return this.#exact.get(key) ?? this.#folded.get(key.toLowerCase()) ?? this.#unqualified(name)
  }

  column(table: RawTable, name: string): RawColumn | undefined {
    const columns = this.#columns.get(table) ?? { counted: 0, byName: new Map<string, RawColumn>() }
    this.#columns.set(table, columns)
    for (; columns.counted < table.columns.length; columns.counted += 1) {
      const column = table.columns[columns.counted]
      if (!column) continue
      for (const key of [`"${column.name}`, column.name.toLowerCase()]) {
        if (!columns.byName.has(key)) columns.byName.set(key, column)
      }
    }
    return columns.byName.get(`"${name}`) ?? columns.byName.get(name.toLowerCase())
  }

  /** A table created without a schema name. */
  #unqualified(name: string): RawTable | undefined {
    const table = this.#exact.get(name) ?? this.#folded.get(name.toLowerCase())
    return table?.schema === '' ? table : undefined
  }
}

export function newTable(parts: readonly string[], line: number): RawTable {
  return {
    name: parts.at(-1) ?? '',
    schema: parts.at(-2) ?? '',
    line,
    comment: '',
    columns: [],
    primaryKey: null,
    uniques: [],
    indexes: [],
    checks: [],
    foreignKeys: [],
  }
}
