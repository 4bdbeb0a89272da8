import { isEqual } from '../equal.ts'

// Lists whose items are identified by a key. Every function is linear: a save may bring thousands of edits.

/** An item to insert before the one with key `before`, or last if that is null or missing. */
export type Insertion<T, Key> = { item: T; before: Key | null }

/** Inserts the items that the list does not contain yet. */
export function insertItems<T, Key>(list: T[], insertions: readonly Insertion<T, Key>[], keyOf: (item: T) => Key): T[] {
  const groups = new Map<Key, T[]>(list.map(item => [keyOf(item), []]))
  const last: T[] = []
  for (const { item, before } of newInsertions(list, insertions, keyOf)) {
    const group = before === null ? last : (groups.get(before) ?? last)
    group.push(item)
  }
  return [...list.flatMap(item => [...(groups.get(keyOf(item)) ?? []), item]), ...last]
}

export function removeItems<T, Key>(list: T[], keys: readonly Key[], keyOf: (item: T) => Key): T[] {
  const removed = new Set(keys)
  return list.filter(item => !removed.has(keyOf(item)))
}

/** Insertions whose key is neither in the list nor in an earlier insertion. */
export function newInsertions<T, Key>(
  list: readonly T[],
  insertions: readonly Insertion<T, Key>[],
  keyOf: (item: T) => Key,
): Insertion<T, Key>[] {
  const taken = new Set(list.map(keyOf))
  return insertions.filter(({ item }) => taken.size < taken.add(keyOf(item)).size)
}

/** Insertions that restore the items with those keys in their positions after removal. */
export function reinsertionsOf<T, Key>(
  list: readonly T[],
  keys: ReadonlySet<Key>,
  keyOf: (item: T) => Key,
): Insertion<T, Key>[] {
  const places: Insertion<T, Key>[] = []
  let before: Key | null = null
  for (const item of list.toReversed()) {
    const key = keyOf(item)
    if (keys.has(key)) places.push({ item, before })
    else before = key
  }
  return places.toReversed()
}

export function withChange<T extends object, K extends keyof T>(
  record: T,
  change: { readonly [field in K]?: T[field] | undefined },
  fields: readonly K[],
): T {
  const next = { ...record }
  for (const field of fields) {
    const value = change[field]
    if (value !== undefined) next[field] = value
  }
  return next
}

/** Current values of the fields that the change would alter. */
export function valuesOf<T extends object, K extends keyof T>(
  record: T,
  change: { readonly [field in K]?: T[field] | undefined },
  fields: readonly K[],
): { [field in K]?: T[field] } {
  const values: { [field in K]?: T[field] } = {}
  for (const field of fields) {
    if (change[field] !== undefined && !isEqual(change[field], record[field])) values[field] = record[field]
  }
  return values
}

export type ItemChange<C> = { uid: string; change: C }

/** The items with their changes applied. */
export function applyChanges<T extends { uid: string }, K extends keyof T>(
  list: readonly T[],
  changes: readonly ItemChange<{ readonly [field in K]?: T[field] | undefined }>[],
  fields: readonly K[],
): T[] {
  const byUid = Map.groupBy(changes, ({ uid }) => uid)
  return list.map(item =>
    (byUid.get(item.uid) ?? []).reduce((state, { change }) => withChange(state, change, fields), item),
  )
}

/** The inverse of the changes. */
export function invertChanges<T extends { uid: string }, K extends keyof T>(
  list: readonly T[],
  changes: readonly ItemChange<{ readonly [field in K]?: T[field] | undefined }>[],
  fields: readonly K[],
): ItemChange<{ [field in K]?: T[field] }>[] {
  const after = new Map(applyChanges(list, changes, fields).map(item => [item.uid, item]))
  return changesOf(
    list.map(item => ({ from: after.get(item.uid) ?? item, to: item })),
    fields,
  )
}

/** The changes of each item in these fields. */
export function changesOf<T extends { uid: string }, K extends keyof T>(
  common: readonly { from: T; to: T }[],
  fields: readonly K[],
): ItemChange<{ [field in K]?: T[field] }>[] {
  return common
    .map(({ from, to }) => ({ uid: to.uid, change: valuesOf(to, from, fields) }))
    .filter(({ change }) => Object.keys(change).length > 0)
}

export function uidOf({ uid }: { uid: string }): string {
  return uid
}
