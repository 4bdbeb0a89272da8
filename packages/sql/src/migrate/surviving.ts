import { isSameType } from '../column-types.ts'
import type { Dialect } from '../dialect.ts'
import type { SchemaPairs, TablePair } from '../alter-pairs.ts'
import { withColumns } from '@cadmus/model/conditions/types'
import type { Check, ForeignKey, Index, Key, RowCheck, Table } from '../tree.ts'

/** A key, check or index of a table. */
export type Part =
  | { readonly kind: 'primaryKey' | 'unique'; readonly item: Key }
  | { readonly kind: 'check'; readonly item: Check | RowCheck }
  | { readonly kind: 'index'; readonly item: Index }

export type Survivor<T> = { readonly before: T; readonly after: T }

/** Parts of a table that a change leaves, apart from their names, that it removes and that it adds. */
export type PartChanges<T> = {
  readonly remaining: readonly Survivor<T>[]
  readonly dropped: readonly T[]
  readonly added: readonly T[]
}

/** What a database does with keys of columns and tables that change. */
export type Survival = {
  /** Whether keys, checks and foreign keys can be renamed. */
  readonly renamesKeys: boolean
  /** Whether a check follows the new name of its column. */
  readonly checksFollowNames: boolean
  /** Whether a foreign key needs an index of its own columns. */
  readonly indexesForeignKeys: boolean
}

export function partsOf({ primaryKey, uniques, checks, conditions = [], indexes }: Table): Part[] {
  return [
    ...(primaryKey ? [{ kind: 'primaryKey' as const, item: primaryKey }] : []),
    ...uniques.map(item => ({ kind: 'unique' as const, item })),
    ...[...checks, ...conditions].map(item => ({ kind: 'check' as const, item })),
    ...indexes.map(item => ({ kind: 'index' as const, item })),
  ]
}

/** Worked out once for a table and for each reference to it. */
const known = new WeakMap<TablePair, Map<Survival, PartChanges<Part>>>()

export function partChanges(pair: TablePair, dialect: Dialect, survival: Survival): PartChanges<Part> {
  const ofPair = known.get(pair) ?? new Map<Survival, PartChanges<Part>>()
  const changes = ofPair.get(survival) ?? partChangesOf(pair, dialect, survival)
  known.set(pair, ofPair.set(survival, changes))
  return changes
}

function partChangesOf(pair: TablePair, dialect: Dialect, survival: Survival): PartChanges<Part> {
  const names = newNames(pair)
  const touched = touchedColumns(pair, dialect)
  const renamed = new Set(
    pair.columns.filter(({ before, after }) => before.name !== after.name).map(one => one.after.name),
  )
  const contentOf = (part: Part, nameOf: (column: string) => string): string | null => {
    const { name: _name, ...rest } = part.item
    const columns = ('columns' in rest ? rest.columns : [rest.column]).map(nameOf)
    const isTouched = (column: string) => touched.has(column) || (!survival.checksFollowNames && renamed.has(column))
    if (part.kind === 'check' && columns.some(isTouched)) return null
    if ('condition' in rest) return JSON.stringify(withColumns(rest.condition, ({ name }) => nameOf(name)))
    return JSON.stringify({ kind: part.kind, ...rest, columns, column: '', sources: [], source: null })
  }
  return matched(
    partsOf(pair.before),
    partsOf(pair.after),
    part => contentOf(part, column => names.get(column) ?? `${column} (gone)`),
    part => contentOf(part, column => column),
    // Where keys cannot be renamed, primary keys have no names.
    part => (part.kind === 'primaryKey' && !survival.renamesKeys ? '' : part.item.name),
    survival.renamesKeys,
  )
}

/** Pairs by the former name of the table. */
export type Targets = ReadonlyMap<string, TablePair>

export function targetsOf({ pairs }: SchemaPairs): Targets {
  return new Map(pairs.map(one => [one.before.name, one]))
}

export function foreignKeyChanges(
  pair: TablePair,
  targets: Targets,
  isRewritten: (pair: TablePair) => boolean,
  dialect: Dialect,
  survival: Survival,
): PartChanges<ForeignKey> {
  const { before, after } = pair
  if (isRewritten(pair)) return { remaining: [], dropped: before.foreignKeys, added: after.foreignKeys }
  const names = newNames(pair)
  const touched = touchedColumns(pair, dialect)
  const parts = partChanges(pair, dialect, survival)
  const contentOf = (key: ForeignKey, table: string, columns: readonly string[], referenced: readonly string[]) =>
    JSON.stringify({ ...key, name: '', source: null, columns, references: { table, columns: referenced } })
  return matched(
    before.foreignKeys,
    after.foreignKeys,
    key => {
      const target = targets.get(key.references.table)
      if (!target || isRewritten(target)) return null
      if (pair.isSame && target.isSame) return contentOf(key, key.references.table, key.columns, key.references.columns)
      const targetNames = newNames(target)
      const columns = key.columns.map(column => names.get(column) ?? `${column} (gone)`)
      const referenced = key.references.columns.map(column => targetNames.get(column) ?? `${column} (gone)`)
      const targetTouched = touchedColumns(target, dialect)
      if (columns.some(column => touched.has(column)) || referenced.some(column => targetTouched.has(column)))
        return null
      const isTargetGone = partChanges(target, dialect, survival).dropped.some(part =>
        covers(part, key.references.columns),
      )
      const isIndexGone = survival.indexesForeignKeys && parts.dropped.some(part => covers(part, key.columns))
      return isTargetGone || isIndexGone ? null : contentOf(key, target.after.name, columns, referenced)
    },
    key => contentOf(key, key.references.table, key.columns, key.references.columns),
    key => key.name,
    survival.renamesKeys,
  )
}

function covers({ kind, item }: Part, columns: readonly string[]): boolean {
  return kind !== 'check' && 'columns' in item && columns.every(column => item.columns.includes(column))
}

const knownNames = new WeakMap<TablePair, ReadonlyMap<string, string>>()

/** Names of columns in the new table by those in the old one. Worked out once, as keys of other tables ask, too. */
function newNames(pair: TablePair): ReadonlyMap<string, string> {
  const names = knownNames.get(pair) ?? new Map(pair.columns.map(one => [one.before.name, one.after.name]))
  knownNames.set(pair, names)
  return names
}

const knownTouched = new WeakMap<TablePair, ReadonlySet<string>>()

/** New names of the columns whose type changes. */
export function touchedColumns(pair: TablePair, dialect: Dialect): ReadonlySet<string> {
  const touched = knownTouched.get(pair) ?? new Set(touchedIn(pair, dialect))
  knownTouched.set(pair, touched)
  return touched
}

function* touchedIn({ columns }: TablePair, dialect: Dialect): Iterable<string> {
  for (const { before, after } of columns)
    if (!isSameType(before.type, after.type) && dialect.typeName(before.type) !== dialect.typeName(after.type))
      yield after.name
}

/** Matches equal contents, those with equal names first; null matches nothing. */
function matched<T>(
  before: readonly T[],
  after: readonly T[],
  oldContent: (item: T) => string | null,
  newContent: (item: T) => string | null,
  nameOf: (item: T) => string,
  renames: boolean,
): PartChanges<T> {
  const remaining: Survivor<T>[] = []
  const free = new Set(before)
  const byContent = Map.groupBy(before, oldContent)
  byContent.delete(null)
  const open = new Map(after.map(item => [item, newContent(item)]))
  for (const isSameName of renames ? [true, false] : [true]) {
    for (const [item, content] of open) {
      const other = byContent.get(content)?.find(old => free.has(old) && (!isSameName || nameOf(old) === nameOf(item)))
      if (other === undefined) continue
      remaining.push({ before: other, after: item })
      free.delete(other)
      open.delete(item)
    }
  }
  return { remaining, dropped: [...free], added: [...open.keys()] }
}
