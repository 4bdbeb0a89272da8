import { hasSameItems } from '@cadmus/model/equal'
import { KeyTies, tableKeys, type TableKeys } from './key-caps.ts'
import type { Table } from './tree.ts'

/** What the keys of the tables are to each other; the very same object as before where they are as before. */
export type SchemaKeys = { readonly tables: readonly TableKeys[]; readonly ties: KeyTies }

type Kept = { table: Table; keys: TableKeys; text: string }

/** The keys of one state of a schema after the other. */
export class KeyMemory {
  #kept = new Map<number, Kept>()
  #last: SchemaKeys = { tables: [], ties: new KeyTies([]) }

  at(tables: readonly Table[]): SchemaKeys {
    const kept = new Map<number, Kept>()
    for (const table of tables) {
      const before = this.#kept.get(table.source.id)
      kept.set(table.source.id, before?.table === table ? before : keysOf(table, before))
    }
    this.#kept = kept
    const all = Array.from(kept.values(), ({ keys }) => keys)
    if (!hasSameItems(all, this.#last.tables)) this.#last = { tables: all, ties: new KeyTies(all) }
    return this.#last
  }
}

/** Most changes of a table change nothing in its keys. */
function keysOf(table: Table, before: Kept | undefined): Kept {
  const keys = tableKeys(table)
  const text = JSON.stringify(keys)
  return { table, text, keys: before?.text === text ? before.keys : keys }
}
