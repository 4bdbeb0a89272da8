import type { Expression } from './expression.ts'
import type { ReferentialAction } from '../tree.ts'

/** A type as it is written. `texts` are an enumeration's values. */
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
  /** Empty where the other table's key is meant. */
  references: readonly string[]
  onDelete: ReferentialAction
}

/** A table as the statements about it left it, under the names that are written. */
export type RawTable = {
  name: string
  schema: string
  line: number
  comment: string
  columns: RawColumn[]
  primaryKey: readonly string[] | null
  /** `isOneNull`: one row alone may be without a value. */
  uniques: { columns: readonly string[]; line: number; isOneNull: boolean }[]
  indexes: { columns: readonly string[]; line: number }[]
  checks: { expression: Expression | null; line: number }[]
  foreignKeys: RawForeignKey[]
}

/** What a script says of tables, found by name as it is read. */
export class ReadSchema {
  readonly #tables = new Set<RawTable>()
  /** Values of enumerations, by folded name. */
  readonly enumerations = new Map<string, readonly string[]>()
  /** What types are made of that have a name of their own, by folded name. */
  readonly namedTypes = new Map<string, RawType>()
  /** Folded names of indexes that were made by statements of their own. */
  readonly indexNames = new Set<string>()
  readonly #exact = new Map<string, RawTable>()
  readonly #folded = new Map<string, RawTable>()
  readonly #columns = new WeakMap<RawTable, { counted: number; byName: Map<string, RawColumn> }>()

  /** In the order in which they were made. */
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

  /** It is there no more; one of its name that is made afterwards is another one. */
  drop(table: RawTable): void {
    this.#tables.delete(table)
    for (const key of [table.name, `${table.schema}.${table.name}`]) {
      if (this.#exact.get(key) === table) this.#exact.delete(key)
      if (this.#folded.get(key.toLowerCase()) === table) this.#folded.delete(key.toLowerCase())
    }
  }

  /** The table of that name, as it is written first, else whatever the case of its letters. */
  find(parts: readonly string[]): RawTable | undefined {
    const name = parts.at(-1) ?? ''
    const schema = parts.at(-2)
    if (schema === undefined) return this.#exact.get(name) ?? this.#folded.get(name.toLowerCase())
    const key = `${schema}.${name}`
    return this.#exact.get(key) ?? this.#folded.get(key.toLowerCase()) ?? this.#unqualified(name)
  }

  column(table: RawTable, name: string): RawColumn | undefined {
    const known = this.#columns.get(table) ?? { counted: 0, byName: new Map<string, RawColumn>() }
    this.#columns.set(table, known)
    for (; known.counted < table.columns.length; known.counted += 1) {
      const column = table.columns[known.counted]
      if (!column) continue
      for (const key of [`"${column.name}`, column.name.toLowerCase()]) {
        if (!known.byName.has(key)) known.byName.set(key, column)
      }
    }
    return known.byName.get(`"${name}`) ?? known.byName.get(name.toLowerCase())
  }

  /** A table that was made without its schema's name. */
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
