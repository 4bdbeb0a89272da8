import { isAdded } from './instance-tables.ts'
import type { Table } from './tree.ts'

/** The keys and references of a table, as far as other tables depend on them. */
export type TableKeys = {
  readonly name: string
  /** Columns that have the type of a column of another table. */
  readonly follows: readonly (readonly [own: string, table: string, column: string])[]
  /** Targets of the table's foreign keys. */
  readonly references: readonly (readonly [table: string, column: string])[]
  /** Targets of foreign keys over several columns. */
  readonly targets: readonly (readonly [table: string, columns: string])[]
  /** The string columns of each key, and the number of its other columns. */
  readonly keys: readonly TableKey[]
}

type TableKey = { readonly strings: readonly string[]; readonly others: number }

/** `sharesPairs`: further columns of a foreign key have the length of those that they refer to, too. */
export function tableKeys(table: Table, sharesPairs = true): TableKeys {
  const follows: TableKeys['follows'][number][] = []
  for (const { name, follows: followed } of table.columns) {
    if (followed) follows.push([name, followed.table, followed.column])
  }
  const references: TableKeys['references'][number][] = []
  const targets: TableKeys['targets'][number][] = []
  const added = new Set(table.columns.filter(({ source }) => isAdded(source)).map(({ name }) => name))
  for (const { columns, references: to } of table.foreignKeys) {
    const pairs = columns.flatMap((own, at) => (added.has(own) ? [] : [[own, to.table, to.columns[at] ?? ''] as const]))
    if (sharesPairs && pairs.length > 1) follows.push(...pairs)
    for (const column of to.columns) references.push([to.table, column])
    if (to.columns.length > 1) targets.push([to.table, targetKey(to.columns)])
  }
  const keys = table.primaryKey ? [table.primaryKey, ...table.uniques] : table.uniques
  return { name: table.name, follows, references, targets, keys: keys.map(({ columns }) => tableKey(columns, table)) }
}

/** Equal for the same columns in any order. */
export function targetKey(columns: readonly string[]): string {
  return JSON.stringify(columns.toSorted())
}

function tableKey(columns: readonly string[], table: Table): TableKey {
  if (columns.length === 1) return { strings: columns, others: 0 }
  const all = new Set(table.columns.filter(({ type }) => type.kind === 'varchar').map(({ name }) => name))
  const strings = columns.filter(column => all.has(column))
  return { strings, others: columns.length - strings.length }
}

/** The number of strings that share the length of a key, and of its other columns. */
type KeyShape = { readonly strings: number; readonly others: number }

/** Columns of the same type, connected by relationships, with the distinct shapes of the keys that contain them. */
export type KeyGroup = { readonly columns: readonly ColumnNode[]; readonly shapes: readonly KeyShape[] }

export type KeyColumn = { readonly column: string; readonly group: KeyGroup; readonly isReferenced: boolean }

/** A node for a column used by keys or foreign keys. */
class ColumnNode {
  readonly table: string
  readonly name: string
  /** Number of keys and foreign keys that use the column; the node is removed when it drops to zero. */
  uses = 0
  references = 0
  readonly keys: TableKey[] = []
  /** Columns connected to it, once for each connection. */
  readonly neighbours: ColumnNode[] = []
  keyColumn: KeyColumn | undefined

  constructor(table: string, name: string) {
    this.table = table
    this.name = name
  }
}

function change<T>(list: T[], item: T, by: 1 | -1): void {
  if (by > 0) list.push(item)
  else list.splice(list.indexOf(item), 1)
}

/**
 * The graph of columns that share a type through keys and foreign keys, independent of the database. When tables are
 * added or removed, only the affected groups are recomputed.
 */
export class KeyGraph {
  readonly #tables = new Map<string, Map<string, ColumnNode>>()
  readonly #columns = new Map<string, readonly KeyColumn[]>()
  readonly #targets = new Map<string, string[]>()

  constructor(tables: readonly TableKeys[]) {
    this.change([], tables)
  }

  /** Removed items must be the objects that were added. */
  change(removed: readonly TableKeys[], added: readonly TableKeys[]): void {
    const touched = new Set<ColumnNode>()
    for (const keys of removed) this.#count(keys, -1, touched)
    for (const keys of added) this.#count(keys, 1, touched)
    for (const keys of removed) this.#countTargets(keys, -1)
    for (const keys of added) this.#countTargets(keys, 1)
    const groups = new Set(Array.from(touched, ({ keyColumn }) => keyColumn?.group))
    for (const group of groups) for (const column of group?.columns ?? []) touched.add(column)
    const grouped = new Set<ColumnNode>()
    for (const column of touched) {
      if (column.uses === 0) this.#remove(column)
      else if (!grouped.has(column)) this.#group(column, grouped)
    }
  }

  /** The columns of a table to which foreign keys refer together, once for each foreign key. */
  targetsIn(table: string): readonly string[] {
    return this.#targets.get(table) ?? []
  }

  #countTargets({ targets }: TableKeys, by: 1 | -1): void {
    for (const [table, columns] of targets) {
      const list = this.#targets.get(table) ?? []
      this.#targets.set(table, list)
      change(list, columns, by)
    }
  }

  /** The columns of a table used by keys and foreign keys of any table. The same object as long as nothing changes. */
  columnsOf(table: string): readonly KeyColumn[] {
    const existing = this.#columns.get(table)
    if (existing) return existing
    const keyColumn = Array.from(this.#tables.get(table)?.values() ?? [], column => column.keyColumn ?? []).flat()
    this.#columns.set(table, keyColumn)
    return keyColumn
  }

  /** Undefined for a column that no key uses. */
  find(table: string, column: string): KeyColumn | undefined {
    return this.#tables.get(table)?.get(column)?.keyColumn
  }

  #count({ name, follows, references, keys }: TableKeys, by: 1 | -1, touched: Set<ColumnNode>): void {
    const countUse = (table: string, column: string) => {
      const one = this.#nodeAt(table, column)
      one.uses += by
      touched.add(one)
      return one
    }
    for (const key of keys) {
      for (const column of key.strings) {
        change(countUse(name, column).keys, key, by)
      }
    }
    for (const [own, table, column] of follows) {
      const [one, other] = [countUse(name, own), countUse(table, column)]
      change(one.neighbours, other, by)
      change(other.neighbours, one, by)
    }
    for (const [table, column] of references) countUse(table, column).references += by
  }

  #nodeAt(table: string, name: string): ColumnNode {
    const columns = this.#tables.get(table)
    const known = columns?.get(name)
    if (known) return known
    const column = new ColumnNode(table, name)
    if (columns) columns.set(name, column)
    else this.#tables.set(table, new Map([[name, column]]))
    return column
  }

  #remove({ table, name }: ColumnNode): void {
    const columns = this.#tables.get(table)
    columns?.delete(name)
    if (columns?.size === 0) this.#tables.delete(table)
    this.#columns.delete(table)
  }

  #group(start: ColumnNode, grouped: Set<ColumnNode>): void {
    const columns = [start]
    const shapes: KeyShape[] = []
    grouped.add(start)
    // The list grows during the iteration.
    for (const { neighbours, keys } of columns) {
      for (const other of neighbours) {
        if (grouped.has(other)) continue
        grouped.add(other)
        columns.push(other)
      }
      for (const { strings, others } of keys) {
        const shape = { strings: strings.length, others }
        if (!hasShape(shapes, shape)) shapes.push(shape)
      }
    }
    const group = { columns, shapes }
    for (const column of columns) this.#assign(column, group)
  }

  /** Keeps the list of the table if the change has no effect on it. */
  #assign(column: ColumnNode, group: KeyGroup): void {
    const before = column.keyColumn
    const isReferenced = column.references > 0
    column.keyColumn = { column: column.name, group, isReferenced }
    if (before?.isReferenced === isReferenced && hasSameShapes(before.group, group)) return
    this.#columns.delete(column.table)
  }
}

function hasSameShapes({ shapes: a }: KeyGroup, { shapes: b }: KeyGroup): boolean {
  return a.length === b.length && a.every(shape => hasShape(b, shape))
}

function hasShape(shapes: readonly KeyShape[], { strings, others }: KeyShape): boolean {
  return shapes.some(shape => shape.strings === strings && shape.others === others)
}
