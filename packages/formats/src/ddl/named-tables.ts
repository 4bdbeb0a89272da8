import { foldName } from '@cadmus/model/paths'
import type { SqlTable } from '@cadmus/sql/read/sql-model'

type Named = { name: string; path: string }

/** Names the entities of tables: the table name, prefixed with the schema for a later table of the same name. */
export class NamedTables {
  readonly #tables: readonly SqlTable[]
  readonly #names = new Map<SqlTable, Named>()

  constructor(tables: readonly SqlTable[], scriptOf: (table: SqlTable) => string) {
    this.#tables = tables
    const names = new Set<string>()
    const free = freePaths()
    for (const table of tables) {
      const isNameUsed = names.has(foldName(table.name)) && table.schema !== ''
      const name = isNameUsed ? `${table.schema}_${table.name}` : table.name
      names.add(foldName(name))
      this.#names.set(table, { name, path: free(`/${scriptOf(table)}/${name}`) })
    }
  }

  of(table: SqlTable): Named {
    const named = this.#names.get(table)
    if (!named) throw new RangeError(`The table '${table.name.slice(0, 120)}' is not defined in the scripts.`)
    return named
  }

  at(index: number): Named {
    const table = this.#tables[index]
    if (!table) throw new RangeError(`There is no table ${index}.`)
    return this.of(table)
  }
}

/** Tables with the same entity name get distinct paths. */
function freePaths(): (preferred: string) => string {
  const used = new Set<string>()
  const numbers = new Map<string, number>()
  return preferred => {
    let number = numbers.get(preferred) ?? 1
    let path = preferred
    for (; used.has(path); path = `${preferred} (${number})`) number += 1
    numbers.set(preferred, number)
    used.add(path)
    return path
  }
}
