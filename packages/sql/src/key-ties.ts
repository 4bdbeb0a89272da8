import type { Table } from './tree.ts'

/** What one table has to do with keys: that is all that others need to know of it. */
export type TableKeys = {
  readonly name: string
  /** Columns with the type of another one. */
  readonly follows: readonly (readonly [here: string, table: string, column: string])[]
  /** What its foreign keys refer to. */
  readonly references: readonly (readonly [table: string, column: string])[]
  /** The strings of each of its keys, and how many other columns that has. */
  readonly keys: readonly TableKey[]
}

type TableKey = { readonly strings: readonly string[]; readonly others: number }

export function tableKeys(table: Table): TableKeys {
  const keys = [...(table.primaryKey ? [table.primaryKey] : []), ...table.uniques]
  return {
    name: table.name,
    follows: table.columns.flatMap(({ name, follows }) =>
      follows ? [[name, follows.table, follows.column] as const] : [],
    ),
    references: table.foreignKeys.flatMap(({ references }) =>
      references.columns.map(column => [references.table, column] as const),
    ),
    keys: keys.map(({ columns }) => {
      const strings = stringsOf(columns, table)
      return { strings, others: columns.length - strings.length }
    }),
  }
}

/** So many strings share the room of a key, and so many other columns have a part of it. */
type KeyShape = { readonly strings: number; readonly others: number }

/** Columns that relationships tie together, however long the chain, with the shapes of the keys that they are in. */
export type TiedGroup = { readonly columns: readonly TiedColumn[]; readonly shapes: ReadonlyMap<string, KeyShape> }

/** What keys have to do with a column. */
export type Tied = { readonly column: string; readonly group: TiedGroup; readonly isReferenced: boolean }

/** A column that keys or foreign keys are about. */
class TiedColumn {
  readonly table: string
  readonly name: string
  /** How many keys and foreign keys are about it; without any it is none of these columns. */
  mentions = 0
  references = 0
  readonly keys: TableKey[] = []
  /** Those of one type with it, and how often that is said. */
  readonly beside = new Map<TiedColumn, number>()
  tied: Tied | undefined

  constructor(table: string, name: string) {
    this.table = table
    this.name = name
  }

  /** Said once more, or once less. */
  isBeside(other: TiedColumn, by: 1 | -1): void {
    const count = (this.beside.get(other) ?? 0) + by
    if (count > 0) this.beside.set(other, count)
    else this.beside.delete(other)
  }
}

/**
 * What the keys of all tables are to each other, whatever the database is. Tables may go and come: then only the columns that theirs
 * are tied to are looked at again.
 */
export class KeyTies {
  readonly #tables = new Map<string, Map<string, TiedColumn>>()
  readonly #tied = new Map<string, readonly Tied[]>()

  constructor(tables: readonly TableKeys[]) {
    this.change([], tables)
  }

  /** Those that go are the very objects that came. */
  change(gone: readonly TableKeys[], come: readonly TableKeys[]): void {
    const touched = new Set<TiedColumn>()
    for (const keys of gone) this.#count(keys, -1, touched)
    for (const keys of come) this.#count(keys, 1, touched)
    const groups = new Set(Array.from(touched, ({ tied }) => tied?.group))
    for (const group of groups) for (const column of group?.columns ?? []) touched.add(column)
    const grouped = new Set<TiedColumn>()
    for (const column of touched) {
      if (column.mentions === 0) this.#remove(column)
      else if (!grouped.has(column)) this.#group(column, grouped)
    }
  }

  /** The columns of a table that keys and foreign keys, its own or others', are about; as long as nothing in that changes, one object. */
  tiedIn(table: string): readonly Tied[] {
    const known = this.#tied.get(table)
    if (known) return known
    const tied = Array.from(this.#tables.get(table)?.values() ?? [], column => column.tied ?? []).flat()
    this.#tied.set(table, tied)
    return tied
  }

  /** Undefined for a column that no key is about. */
  of(table: string, column: string): Tied | undefined {
    return this.#tables.get(table)?.get(column)?.tied
  }

  #count({ name, follows, references, keys }: TableKeys, by: 1 | -1, touched: Set<TiedColumn>): void {
    const mention = (table: string, column: string) => {
      const one = this.#columnAt(table, column)
      one.mentions += by
      touched.add(one)
      return one
    }
    for (const key of keys) {
      for (const column of key.strings) {
        const { keys: known } = mention(name, column)
        if (by > 0) known.push(key)
        else known.splice(known.indexOf(key), 1)
      }
    }
    for (const [here, table, column] of follows) {
      const [one, other] = [mention(name, here), mention(table, column)]
      one.isBeside(other, by)
      other.isBeside(one, by)
    }
    for (const [table, column] of references) mention(table, column).references += by
  }

  #columnAt(table: string, name: string): TiedColumn {
    const columns = this.#tables.get(table) ?? new Map<string, TiedColumn>()
    const column = columns.get(name) ?? new TiedColumn(table, name)
    this.#tables.set(table, columns.set(name, column))
    return column
  }

  #remove({ table, name }: TiedColumn): void {
    const columns = this.#tables.get(table)
    columns?.delete(name)
    if (columns?.size === 0) this.#tables.delete(table)
    this.#tied.delete(table)
  }

  #group(start: TiedColumn, grouped: Set<TiedColumn>): void {
    const columns = new Set([start])
    const shapes = new Map<string, KeyShape>()
    // New ones are added at the end while they are walked.
    for (const { beside, keys } of columns) {
      for (const other of beside.keys()) columns.add(other)
      for (const { strings, others } of keys) {
        shapes.set(`${strings.length} ${others}`, { strings: strings.length, others })
      }
    }
    const group = { columns: [...columns], shapes }
    for (const column of columns) {
      grouped.add(column)
      this.#tell(column, group)
    }
  }

  /** Where it means the same for its table, that need not look again. */
  #tell(column: TiedColumn, group: TiedGroup): void {
    const before = column.tied
    const isReferenced = column.references > 0
    column.tied = { column: column.name, group, isReferenced }
    if (before?.isReferenced === isReferenced && hasSameShapes(before.group, group)) return
    this.#tied.delete(column.table)
  }
}

function hasSameShapes({ shapes: a }: TiedGroup, { shapes: b }: TiedGroup): boolean {
  return a.size === b.size && a.keys().every(shape => b.has(shape))
}

function stringsOf(columns: readonly string[], table: Table): string[] {
  if (columns.length === 1) return [...columns]
  const strings = new Set(table.columns.filter(({ type }) => type.kind === 'varchar').map(({ name }) => name))
  return columns.filter(column => strings.has(column))
}
