import { foldName } from '@cadmus/model/paths'
import type { Column, Schema, Table } from './tree.ts'

/** A table of the old schema and what it is in the new one. */
export type TablePair = {
  readonly before: Table
  readonly after: Table
  readonly columns: readonly ColumnPair[]
  readonly added: readonly Column[]
  readonly dropped: readonly Column[]
  /** The database's table is the same, whatever is said of it. */
  readonly isSame: boolean
}

export type ColumnPair = { readonly before: Column; readonly after: Column }

export type SchemaPairs = {
  readonly pairs: readonly TablePair[]
  readonly added: readonly Table[]
  readonly dropped: readonly Table[]
}

/** Tables and columns by their identity; what is left of both is one where it has one name: it is kept rather than lost. */
export function pairsOf(before: Schema, after: Schema): SchemaPairs {
  const found = matched(before.tables, after.tables, tableKeys)
  const pairs = found.both.map(([old, now]) => tablePair(old, now))
  return { pairs, added: found.added, dropped: found.dropped }
}

export function isHistory({ columns }: Table): boolean {
  return columns.some(({ source }) => source.uid === 'added:sequence')
}

function tablePair(before: Table, after: Table): TablePair {
  const { both, added, dropped } = matched(before.columns, after.columns, columnKeys)
  const columns = both.map(([old, now]) => ({ before: old, after: now }))
  const hasMoved = columns.some(pair => pair.before.name !== pair.after.name)
  return { before, after, columns, added, dropped, isSame: !hasMoved && shapeOf(before) === shapeOf(after) }
}

type Keys<T> = readonly ((item: T) => string)[]

const tableKeys: Keys<Table> = [
  table => `${isHistory(table)} ${table.source.uid} ${table.source.name}`,
  table => `${isHistory(table)} ${table.source.uid}`,
  table => `${isHistory(table)} ${foldName(table.source.name)}`,
]

const columnKeys: Keys<Column> = [
  ({ source }) => `${source.uid} ${source.name}`,
  ({ source }) => source.uid,
  // What the instance adds is never what a model has.
  ({ source }) => (source.uid.startsWith('added:') ? source.uid : `name ${foldName(source.name)}`),
]

/** By the first key, what is left by the next one. */
function matched<T>(before: readonly T[], after: readonly T[], keys: Keys<T>) {
  const found = new Map<T, T>()
  const taken = new Set<T>()
  for (const key of keys) {
    const free = Map.groupBy(
      before.filter(item => !taken.has(item)),
      key,
    )
    for (const item of after) {
      if (found.has(item)) continue
      const other = free.get(key(item))?.shift()
      if (other === undefined) continue
      found.set(item, other)
      taken.add(other)
    }
  }
  return {
    both: [...found].map(([now, old]) => [old, now] as const),
    added: after.filter(item => !found.has(item)),
    dropped: before.filter(item => !taken.has(item)),
  }
}

/** The same for tables that the database makes alike. */
function shapeOf(table: Table): string {
  const told = new Set(['comment', 'source', 'sources', 'follows', 'sequence'])
  return JSON.stringify(table, (name, value: unknown) => (told.has(name) ? undefined : value))
}
