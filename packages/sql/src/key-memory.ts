import { keptById } from './by-place.ts'
import { KeyTies, tableKeys, type TableKeys, type Tied } from './key-ties.ts'
import type { Table } from './tree.ts'

type Kept = { table: Table; keys: TableKeys; text: string }

/** The tables, what keys have to do with each, and the places of those of which that or the table is otherwise than before. */
export type KeyedTables = {
  readonly tables: readonly Table[]
  readonly tied: readonly (readonly Tied[])[]
  readonly changed: readonly number[]
}

/** The keys of one state of a schema after the other. */
export class KeyMemory {
  readonly ties = new KeyTies([])
  #kept: readonly Kept[] = []
  #tied: KeyedTables['tied'] = []

  /** Has the ties of the tables from here on. */
  look(tables: readonly Table[]): KeyedTables {
    const before = this.#kept
    const known = keptById(before, ({ table }) => table.source.id)
    this.#kept = tables.map((table, index) => {
      const one = known(table.source.id, index)
      return one?.table === table ? one : keptOf(table, one)
    })
    // Most are at their place.
    const gone = new Set(before.flatMap(({ keys }, index) => (this.#kept[index]?.keys === keys ? [] : keys)))
    const come = this.#kept.flatMap(({ keys }, index) =>
      before[index]?.keys === keys || gone.delete(keys) ? [] : keys,
    )
    if (gone.size > 0 || come.length > 0) this.ties.change([...gone], come)
    const last = this.#tied
    const tied = tables.map(({ name }) => this.ties.tiedIn(name))
    this.#tied = tied
    const isSame = (index: number) => before[index]?.table === tables[index] && last[index] === tied[index]
    return { tables, tied, changed: [...tables.keys()].filter(index => !isSame(index)) }
  }
}

/** Most changes of a table change nothing in its keys. */
function keptOf(table: Table, before: Kept | undefined): Kept {
  const keys = tableKeys(table)
  const text = JSON.stringify(keys)
  return { table, text, keys: before?.text === text ? before.keys : keys }
}
