import { isAdded } from '../instance-tables.ts'
import type { Schema } from '../tree.ts'

/**
 * Finds the fields of a violated key by what an error of the database says of it; undefined if they are not known. `entity`: whose records
 * are changed.
 */
type ViolatedKeys = (description: string, entity?: string) => readonly string[] | undefined

/** The name of every primary key in MySQL; MariaDB omits the table. */
const mysqlKey = 'PRIMARY'

/**
 * Keys by the names of their constraints and indexes, in MySQL after the table's, and by their columns as SQLite writes them; without the
 * tenant, and without texts that describe several keys.
 */
export function violatedKeysOf({ tables }: Schema): ViolatedKeys {
  const fields = new Map<string, readonly string[] | undefined>()
  const tableOf = new Map<string | undefined, string>()
  for (const { name: table, source, primaryKey, uniques, indexes } of tables) {
    const keys = [...(primaryKey ? [primaryKey] : []), ...uniques, ...indexes.filter(({ unique }) => unique)]
    for (const key of keys) {
      const { name, columns, sources } = key
      const names = sources.filter(source => !isAdded(source)).map(source => source.name.trim())
      if (names.length === 0) continue
      const written = columns.map(column => `${table}.${column}`).join(', ')
      if (key === primaryKey) tableOf.set(source.name.trim(), table)
      const inMysql = key === primaryKey ? [`${table}.${mysqlKey}`] : []
      for (const description of [name, `${table}.${name}`, ...inMysql, written])
        fields.set(description, fields.has(description) ? undefined : names)
    }
  }
  return (description, entity) =>
    fields.get(description) ?? (description === mysqlKey ? fields.get(`${tableOf.get(entity)}.${mysqlKey}`) : undefined)
}
