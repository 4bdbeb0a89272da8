import type { Dialect } from './dialect.ts'
import { columnLength } from './expressions.ts'
import type { KeyCaps } from './key-caps.ts'
import { noteTexts, type Notes } from './notes.ts'
import type { Column, Table } from './tree.ts'

/**
 * Fits a table into the database's limits of columns, row width and length of column names. Omits the last columns that
 * neither the primary key nor other tables need, together with their constraints and indexes.
 */
export function withFewerColumns(table: Table, caps: KeyCaps, dialect: Dialect, notes: Notes): Table {
  const { columns: maxColumns, row, names: maxNames } = dialect.limits
  const size = (column: Column) => row?.size(column.type) ?? 0
  let count = table.columns.length
  let bytes = row === null ? 0 : table.columns.reduce((sum, column) => sum + size(column), 0)
  let nameBytes = maxNames === null ? 0 : table.columns.reduce((sum, column) => sum + columnLength(column), 0)
  const fits = () =>
    count <= maxColumns && (row === null || bytes <= row.bytes) && (maxNames === null || nameBytes <= maxNames)
  if (fits()) return table
  const omitted = new Set<string>()
  for (const column of table.columns.toReversed()) {
    if (fits()) break
    if (isRequired(column, table, caps)) continue
    omitted.add(column.name)
    count -= 1
    bytes -= size(column)
    nameBytes -= columnLength(column)
  }
  const names = table.columns.filter(({ name }) => omitted.has(name)).map(({ source }) => source.name)
  const { name } = table.source
  if (names.length > 0)
    notes.about('columnsLeftOut', noteTexts.columnsLeftOut(name, table.columns.length, names), table.source)
  if (!fits()) notes.about('columnsTooMany', noteTexts.columnsTooMany(name, count), table.source)
  return withoutColumns(table, omitted)
}

function isRequired({ name, source }: Column, table: Table, caps: KeyCaps): boolean {
  return (table.primaryKey?.columns.includes(name) ?? false) || caps.isReferenced(table.source.name, source.name.trim())
}

function withoutColumns(table: Table, omitted: ReadonlySet<string>): Table {
  const isWhole = ({ columns }: { columns: readonly string[] }) => !columns.some(name => omitted.has(name))
  return {
    ...table,
    columns: table.columns.filter(({ name }) => !omitted.has(name)),
    uniques: table.uniques.filter(isWhole),
    checks: table.checks.filter(({ column }) => !omitted.has(column)),
    indexes: table.indexes.filter(isWhole),
    foreignKeys: table.foreignKeys.filter(isWhole),
  }
}
