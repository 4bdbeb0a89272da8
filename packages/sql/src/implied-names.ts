import type { Dialect } from './dialect.ts'
import type { NameGiver } from './names.ts'
import type { Column, Table } from './tree.ts'

/**
 * The sequence of a generated column gets a name from the database: one that nothing has at that moment. Where a table, key or
 * index that is made later is to have that very name, the column says another one; all others stay the database's to name.
 */
export function withNamedSequences(
  tables: readonly Table[],
  { sequenceName }: Dialect,
  names: NameGiver,
): readonly Table[] {
  if (sequenceName === null) return tables
  const wanted = new Set(tables.flatMap(table => [...madeWith(table), ...table.indexes.map(({ name }) => name)]))
  const there = new Set<string>()
  const attempts = new Map<string, number>()
  const named = (table: Table, column: Column): Column => {
    const first = sequenceName(table.name, column.name, 0)
    let attempt = attempts.get(first) ?? 0
    while (there.has(sequenceName(table.name, column.name, attempt))) attempt += 1
    attempts.set(first, attempt)
    const chosen = sequenceName(table.name, column.name, attempt)
    const sequence = wanted.has(chosen) ? names.give(chosen, 'constraint') : chosen
    there.add(sequence)
    return sequence === chosen ? column : { ...column, sequence }
  }
  return tables.map(table => {
    const columns = table.columns.map(column => (column.identity ? named(table, column) : column))
    for (const name of madeWith(table)) there.add(name)
    return columns.some(({ sequence }) => sequence !== undefined) ? { ...table, columns } : table
  })
}

/** What there is as soon as the table is made; each shares its name with no other, nor with a sequence. */
function madeWith({ name, primaryKey, uniques }: Table): string[] {
  return [name, ...(primaryKey ? [primaryKey.name] : []), ...uniques.map(unique => unique.name)]
}
