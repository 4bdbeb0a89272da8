import { foldName } from '@cadmus/model/paths'
import { isAdded } from './instance-tables.ts'
import type { Column, Schema, Table } from './tree.ts'

/** A table of the old schema with its counterpart in the new one. */
export type TablePair = {
  readonly before: Table
  readonly after: Table
  readonly columns: readonly ColumnPair[]
  readonly added: readonly Column[]
  readonly dropped: readonly Column[]
  /** Dropped columns whose values data steps carry to others, and those whose values they replace. */
  readonly carried?: ReadonlyMap<Column, 'carried' | 'replaced'>
  /** Whether the database table is unchanged, although names in the model may differ. */
  readonly isSame: boolean
}

export type ColumnPair = {
  readonly before: Column
  readonly after: Column
  /** Whether the values are hashes of keys of several attributes, which are cut where the column becomes shorter. */
  readonly isHash?: boolean
  /** `before` is computed by data steps. */
  readonly data?: DataChange
}

/** What data steps do to the values of a column, in words, and what of them cannot be computed back: a condition on the records before. */
export type DataChange = {
  readonly texts: readonly string[]
  readonly lost: readonly { readonly text: string; readonly condition: string }[]
}

export type SchemaPairs = {
  readonly pairs: readonly TablePair[]
  readonly added: readonly Table[]
  readonly dropped: readonly Table[]
}

/** Matches tables and columns by uid, then by name, so that data is kept where possible. */
export function pairsOf(before: Schema, after: Schema): SchemaPairs {
  const matches = matchItems(before.tables, after.tables, tableKeys)
  const hashed = new Set(after.tables.flatMap(table => (isKeyTogether(table) ? table.source.uid : [])))
  const pairs = matches.both.map(([old, now]) => tablePair(old, now, hashed))
  return { pairs, added: matches.added, dropped: matches.dropped }
}

/** The pairs without those of some columns, each of which becomes a dropped and an added one. */
export function separated(
  { pairs, added, dropped }: SchemaPairs,
  isSeparate: (pair: ColumnPair) => boolean,
): SchemaPairs {
  const separate = (pair: TablePair): TablePair => {
    const apart = pair.columns.filter(isSeparate)
    if (apart.length === 0) return pair
    return {
      ...pair,
      columns: pair.columns.filter(one => !apart.includes(one)),
      added: [...pair.added, ...apart.map(one => one.after)],
      dropped: [...pair.dropped, ...apart.map(one => one.before)],
    }
  }
  return { pairs: pairs.map(separate), added, dropped }
}

export function isHistory({ columns }: Table): boolean {
  return columns.some(({ source }) => source.uid === 'added:sequence')
}

/** Identifies a loss or an obstacle of a table by uids. `detail`: distinguishes several of one kind and column. */
export function countKey(table: Table, column: Pick<Column, 'source'> | null, kind: string, detail = ''): string {
  const { uid, name } = table.source
  return JSON.stringify([kind, isHistory(table) ? 'history' : 'table', uid, name, column?.source.uid ?? '', detail])
}

function isKeyTogether({ primaryKey }: Table): boolean {
  return (primaryKey?.sources ?? []).filter(source => !isAdded(source)).length > 1
}

/** `hashed`: uids of the entities in whose histories keys are hashes. */
function tablePair(before: Table, after: Table, hashed: ReadonlySet<string>): TablePair {
  const { both, added, dropped } = matchItems(before.columns, after.columns, columnKeys)
  const columns = both.map(([old, now]) => {
    const isHash = now.source.uid === 'added:recordKey' && hashed.has(after.source.uid)
    return { before: old, after: now, ...(isHash ? { isHash } : {}) }
  })
  const hasMoved = columns.some(pair => pair.before.name !== pair.after.name)
  return { before, after, columns, added, dropped, isSame: !hasMoved && shapeOf(before) === shapeOf(after) }
}

type Keys<T> = readonly [(item: T) => string, ...((item: T) => string)[]]

const tableKeys: Keys<Table> = [
  table => `${isHistory(table)} ${table.source.uid} ${table.source.name}`,
  table => `${isHistory(table)} ${table.source.uid}`,
  table => `${isHistory(table)} ${foldName(table.source.name)}`,
]

const columnKeys: Keys<Column> = [
  ({ source }) => `${source.uid} ${source.name}`,
  ({ source }) => source.uid,
  // Columns added by the instance never match columns of the model.
  ({ source }) => (source.uid.startsWith('added:') ? source.uid : `name ${foldName(source.name)}`),
]

/** Matches by the first key, then the remaining items by the next. Most lists have the same items in the same places. */
function matchItems<T extends { source: { uid: string; name: string } }>(
  before: readonly T[],
  after: readonly T[],
  keys: Keys<T>,
) {
  const matches = new Map<T, T>()
  let [left, open] = [before, after]
  for (const key of keys) {
    if (left.length === 0 || open.length === 0) break
    const placed = key === keys[0] ? placedItems(left, open, key) : new Map<T, T>()
    const matched = new Set(placed.values())
    const free =
      placed.size === open.length
        ? null
        : Map.groupBy(
            left.filter(item => !matched.has(item)),
            key,
          )
    for (const item of open) {
      const other = placed.get(item) ?? free?.get(key(item))?.shift()
      if (other === undefined) continue
      matches.set(item, other)
      matched.add(other)
    }
    left = left.filter(item => !matched.has(item))
    open = open.filter(item => !matches.has(item))
  }
  return { both: [...matches].map(([now, old]) => [old, now] as const), added: open, dropped: left }
}

/** Items in the same place of both lists with the same key, if all of one list's keys differ. */
function placedItems<T extends { source: { uid: string } }>(
  before: readonly T[],
  after: readonly T[],
  key: Keys<T>[0],
) {
  const placed = new Map<T, T>()
  if (new Set(before.map(({ source }) => source.uid)).size < before.length) return placed
  for (const [at, now] of after.entries()) {
    const old = before[at]
    if (old !== undefined && old.source.uid === now.source.uid && key(old) === key(now)) placed.set(now, old)
  }
  return placed
}

/** The definition of a table without properties that the database does not store. */
function shapeOf(table: Table): string {
  const ignored = new Set([
    'comment',
    'counted',
    'isLocal',
    'isWhole',
    'source',
    'sources',
    'follows',
    'sequence',
    'uid',
    'message',
    'text',
    'computed',
  ])
  return JSON.stringify(table, (name, value: unknown) => (ignored.has(name) ? undefined : value))
}

/** A reserved name: `instanceSchemaOf` renames entities that use it. */
export function temporaryName(index: number): string {
  return `cadmus_aside_${index}`
}
