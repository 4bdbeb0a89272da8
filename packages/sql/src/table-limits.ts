import type { Dialect } from './dialect.ts'
import { columnLength } from './expressions.ts'
import { type KeyColumn, type KeyGraph, type KeyGroup, targetKey } from './key-graph.ts'
import { type Notes, noteTexts } from './notes.ts'
import type { Column, Table } from './tree.ts'

/** Maximum lengths of columns in databases that limit the length of keys, and the referenced columns. */
export type KeyCaps = {
  capOf(table: string, column: string): number | null
  isReferenced(table: string, column: string): boolean
  /** Whether a foreign key refers to these columns together. */
  isTarget(table: string, columns: readonly string[]): boolean
  /** Whether the column, or one of the same type group, exceeds its declared length. */
  isWidened(table: string, column: string): boolean
  /** The inputs of the other functions for a table. If all items are equal, so are the results. */
  tableState(table: string): readonly unknown[]
}

/**
 * The strings of a key share its maximum length. Columns connected by relationships have the same type, so the smallest
 * share applies to the whole group. `limit` counts characters; null: no limit. `wide`: columns that exceed their
 * declared length.
 */
export function keyCaps(
  graph: KeyGraph,
  limit: number | null,
  wide: readonly (readonly [table: string, column: string])[],
): KeyCaps {
  // A column without connections is its own group.
  const partOf = (table: string, column: string) => graph.find(table, column)?.group ?? `${table}\0${column}`
  const widened = new Set(wide.map(([table, column]) => partOf(table, column)))
  const isWidened = (table: string, column: string) => widened.size > 0 && widened.has(partOf(table, column))
  const capOf = (keyColumn: KeyColumn | undefined) =>
    limit === null || !keyColumn ? null : groupCap(keyColumn.group, limit)
  return {
    capOf: (table, column) => (limit === null ? null : capOf(graph.find(table, column))),
    isReferenced: (table, column) => graph.find(table, column)?.isReferenced ?? false,
    isTarget: (table, columns) => graph.targetsIn(table).includes(targetKey(columns)),
    isWidened,
    tableState: table => {
      const state: unknown[] = []
      for (const keyColumn of graph.columnsOf(table)) {
        state.push(keyColumn.column, capOf(keyColumn), keyColumn.isReferenced, isWidened(table, keyColumn.column))
      }
      state.push(...graph.targetsIn(table))
      return state
    },
  }
}

/** What a value that is not a text takes of the length of a key or index, at most; in characters. */
export const otherLength = 10

function groupCap({ shapes }: KeyGroup, limit: number): number | null {
  let cap: number | null = null
  for (const { strings, others } of shapes) {
    const share = Math.floor((limit - otherLength * others) / strings)
    cap = cap === null ? share : Math.min(cap, share)
  }
  return cap
}

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
    ...(table.conditions ? { conditions: table.conditions.filter(isWhole) } : {}),
    indexes: table.indexes.filter(isWhole),
    foreignKeys: table.foreignKeys.filter(isWhole),
  }
}
