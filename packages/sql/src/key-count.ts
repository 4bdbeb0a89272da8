import type { Dialect } from './dialect.ts'
import { noteTexts, type Notes } from './notes.ts'
import type { Table } from './tree.ts'

/**
 * Fits a table into the limit of keys: drops the last indexes that no foreign key needs, then the last foreign keys
 * with their indexes.
 */
export function withFewerKeys(table: Table, dialect: Dialect, notes: Notes): Table {
  const limit = dialect.limits.keys
  const count = (table.primaryKey ? 1 : 0) + table.uniques.length + table.indexes.length
  if (limit === null || count <= limit) return table
  const isForeign = new Set(table.foreignKeys.flatMap(({ columns }) => columns))
  const byNeed = table.indexes.toSorted((a, b) => Number(isForeignKey(b.columns)) - Number(isForeignKey(a.columns)))
  const dropped = byNeed.slice(Math.max(0, byNeed.length - (count - limit)))
  const without = new Set(dropped.flatMap(({ columns }) => columns))
  for (const { name, source } of table.columns) {
    if (without.has(name)) notes.about('tooManyKeys', noteTexts.tooManyKeys(source.name, limit), table.source, source)
  }
  return {
    ...table,
    indexes: table.indexes.filter(index => !dropped.includes(index)),
    foreignKeys: table.foreignKeys.filter(({ columns }) => !columns.some(column => without.has(column))),
  }

  function isForeignKey(columns: readonly string[]): boolean {
    return columns.some(column => isForeign.has(column))
  }
}
