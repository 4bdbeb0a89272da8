import { isEqual } from '../equal.ts'

// Lists whose items are identified by a key. Every function is linear: a save may bring thousands of edits.

/** An item to insert before the one with key `before`, or last if that is null or missing. */
export type Insertion<T, Key> = { item: T; before: Key | null }

/** The list with the items that it does not contain yet; the same list if there are none. */
export function insertItems<T, Key>(list: T[], insertions: readonly Insertion<T, Key>[], keyOf: (item: T) => Key): T[] {
  const fresh = newInsertions(list, insertions, keyOf)
  if (fresh.length === 0) return list
  const groups = new Map<Key, T[]>(list.map(item => [keyOf(item), []]))
  const last: T[] = []
  for (const { item, before } of fresh) {
    const group = before === null ? undefined : groups.get(before)
    ;(group ?? last).push(item)
  }
  return [...list.flatMap(item => [...(groups.get(keyOf(item)) ?? []), item]), ...last]
}

/** The list without the items that have these keys; the same list if it has none. */
export function removeItems<T, Key>(list: T[], keys: readonly Key[], keyOf: (item: T) => Key): T[] {
  const removed = new Set(keys)
  const rest = list.filter(item => !removed.has(keyOf(item)))
  return rest.length === list.length ? list : rest
}

/** The record with another value of a field; the same record if it has this value. */
export function withField<T extends object, K extends keyof T>(record: T, field: K, value: T[K]): T {
  return record[field] === value ? record : { ...record, [field]: value }
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

/** The record with the changed fields; the same object if nothing changes. */
export function withChange<T extends object, K extends keyof T>(
  record: T,
  change: { readonly [field in K]?: T[field] | undefined },
  fields: readonly K[],
): T {
  const changed = fields.filter(field => change[field] !== undefined && !isEqual(change[field], record[field]))
  if (changed.length === 0) return record
  const next = { ...record }
  for (const field of changed) {
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
  return list.flatMap(item => {
    const change = valuesOf(item, after.get(item.uid) ?? item, fields)
    return Object.keys(change).length > 0 ? [{ uid: item.uid, change }] : []
  })
}

export function uidOf({ uid }: { uid: string }): string {
  return uid
}
