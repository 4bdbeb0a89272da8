import { foldName } from '@cadmus/model/paths'
import type { SqlTable } from '@cadmus/sql/read/sql-model'

type Named = { name: string; path: string }

/** What the entities of tables are called: as the tables, and where two schemas have one of a name, the later with its schema's. */
export class NamedTables {
  readonly #tables: readonly SqlTable[]
  readonly #names = new Map<SqlTable, Named>()

  constructor(tables: readonly SqlTable[], scriptOf: (table: SqlTable) => string) {
    this.#tables = tables
    const names = new Set<string>()
    const free = freePaths()
    for (const table of tables) {
      const isTaken = names.has(foldName(table.name)) && table.schema !== ''
      const name = isTaken ? `${table.schema}_${table.name}` : table.name
      names.add(foldName(name))
      this.#names.set(table, { name, path: free(`/${scriptOf(table)}/${name}`) })
    }
  }

  of(table: SqlTable): Named {
    const named = this.#names.get(table)
    if (!named) throw new RangeError(`Nothing is known of the table '${table.name.slice(0, 120)}'.`)
    return named
  }

  at(index: number): Named {
    const table = this.#tables[index]
    if (!table) throw new RangeError(`There is no table ${index}.`)
    return this.of(table)
  }
}

/** Tables whose names become one have a path each all the same. */
function freePaths(): (wanted: string) => string {
  const taken = new Set<string>()
  const numbers = new Map<string, number>()
  return wanted => {
    let number = numbers.get(wanted) ?? 1
    let path = wanted
    for (; taken.has(path); path = `${wanted} (${number})`) number += 1
    numbers.set(wanted, number)
    taken.add(path)
    return path
  }
}
