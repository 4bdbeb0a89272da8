import { previousById } from './previous-by-id.ts'
import { KeyGraph, tableKeys, type TableKeys, type KeyColumn } from './key-graph.ts'
import type { Table } from './tree.ts'

type Entry = { table: Table; keys: TableKeys; text: string }

/** The tables with their key columns, and the indexes of tables for which either changed. */
export type KeyedTables = {
  readonly tables: readonly Table[]
  readonly keyColumns: readonly (readonly KeyColumn[])[]
  readonly changed: readonly number[]
}

/** Maintains the key graph over successive states of a schema. */
export class KeyCache {
  readonly graph = new KeyGraph([])
  #entries: readonly Entry[] = []
  #keyColumns: KeyedTables['keyColumns'] = []

  /** Updates the graph to the given tables. */
  update(tables: readonly Table[]): KeyedTables {
    const before = this.#entries
    const previous = previousById(before, ({ table }) => table.source.id)
    this.#entries = tables.map((table, index) => {
      const one = previous(table.source.id, index)
      return one?.table === table ? one : entryOf(table, one)
    })
    // Most tables keep their index.
    const removed = new Set(before.flatMap(({ keys }, index) => (this.#entries[index]?.keys === keys ? [] : keys)))
    const added = this.#entries.flatMap(({ keys }, index) =>
      before[index]?.keys === keys || removed.delete(keys) ? [] : keys,
    )
    if (removed.size > 0 || added.length > 0) this.graph.change([...removed], added)
    const lastKeyColumns = this.#keyColumns
    const keyColumns = tables.map(({ name }) => this.graph.columnsOf(name))
    this.#keyColumns = keyColumns
    const isSame = (index: number) =>
      before[index]?.table === tables[index] && lastKeyColumns[index] === keyColumns[index]
    return { tables, keyColumns, changed: [...tables.keys()].filter(index => !isSame(index)) }
  }
}

/** Most changes of a table do not affect its keys. */
function entryOf(table: Table, before: Entry | undefined): Entry {
  const keys = tableKeys(table)
  const text = JSON.stringify(keys)
  return { table, text, keys: before?.text === text ? before.keys : keys }
}
