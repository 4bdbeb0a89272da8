import type { Dialect } from './dialect.ts'
import { keptLength } from './expressions.ts'
import type { KeyCaps } from './key-caps.ts'
import { noteTexts, type Notes } from './notes.ts'
import type { Column, Table } from './tree.ts'

/**
 * A table with no more columns, no wider a row and no longer a list of names than the database creates: the last ones that no primary key and no other
 * table needs are left out, with what they are part of.
 */
export function withFewerColumns(table: Table, caps: KeyCaps, dialect: Dialect, notes: Notes): Table {
  const { columns: most, row, names: longest } = dialect.limits
  const size = (column: Column) => row?.size(column.type) ?? 0
  let count = table.columns.length
  let bytes = row === null ? 0 : table.columns.reduce((sum, column) => sum + size(column), 0)
  let kept = longest === null ? 0 : table.columns.reduce((sum, column) => sum + keptLength(column), 0)
  const isFitting = () => count <= most && (row === null || bytes <= row.bytes) && (longest === null || kept <= longest)
  if (isFitting()) return table
  const left = new Set<string>()
  for (const column of table.columns.toReversed()) {
    if (isFitting()) break
    if (isNeeded(column, table, caps)) continue
    left.add(column.name)
    count -= 1
    bytes -= size(column)
    kept -= keptLength(column)
  }
  const names = table.columns.filter(({ name }) => left.has(name)).map(({ source }) => source.name)
  const { name } = table.source
  if (names.length > 0)
    notes.about('columnsLeftOut', noteTexts.columnsLeftOut(name, table.columns.length, names), table.source)
  if (!isFitting()) notes.about('columnsTooMany', noteTexts.columnsTooMany(name, count), table.source)
  return withoutColumns(table, left)
}

function isNeeded({ name, source }: Column, table: Table, caps: KeyCaps): boolean {
  return (table.primaryKey?.columns.includes(name) ?? false) || caps.isReferenced(table.source.name, source.name.trim())
}

function withoutColumns(table: Table, left: ReadonlySet<string>): Table {
  const isWhole = ({ columns }: { columns: readonly string[] }) => !columns.some(name => left.has(name))
  return {
    ...table,
    columns: table.columns.filter(({ name }) => !left.has(name)),
    uniques: table.uniques.filter(isWhole),
    checks: table.checks.filter(({ column }) => !left.has(column)),
    indexes: table.indexes.filter(isWhole),
    foreignKeys: table.foreignKeys.filter(isWhole),
  }
}
