import { isAdded } from '../instance-tables.ts'
import type { Schema } from '../tree.ts'

/** Finds the fields of a violated key by what an error of the database says of it; undefined if they are not known. */
export type ViolatedKeys = (description: string) => readonly string[] | undefined

/**
 * Keys by the names of their constraints and indexes, in MySQL after the table's, and by their columns as SQLite writes them; without the
 * tenant, and without texts that describe several keys.
 */
export function violatedKeysOf({ tables }: Schema): ViolatedKeys {
  const fields = new Map<string, readonly string[] | undefined>()
  for (const { name: table, primaryKey, uniques, indexes } of tables) {
    const keys = [...(primaryKey ? [primaryKey] : []), ...uniques, ...indexes.filter(({ unique }) => unique)]
    for (const { name, columns, sources } of keys) {
      const names = sources.filter(source => !isAdded(source)).map(source => source.name.trim())
      if (names.length === 0) continue
      const written = columns.map(column => `${table}.${column}`).join(', ')
      for (const description of [name, `${table}.${name}`, written])
        fields.set(description, fields.has(description) ? undefined : names)
    }
  }
  return description => fields.get(description)
}
