import { isEqual } from './equal.ts'
import type { Merging } from './merge-fields.ts'
import { mergeOrder } from './merge-order.ts'

/** The common base and both sides. */
export type Three<T> = { base: T; mine: T; theirs: T }

export type Item = { uid: string; position: number }

export function three<T, R>({ base, mine, theirs }: Three<T>, part: (of: T) => R): Three<R> {
  return { base: part(base), mine: part(mine), theirs: part(theirs) }
}

/** Merges items by uid and field, in no particular order. A deletion wins, unless the other side edited the item: that is a conflict. */
export function mergeItems<T extends Item>(
  merging: Merging,
  list: string,
  keys: readonly (keyof T & string)[],
  items: Three<readonly T[]>,
): T[] {
  const { base, mine, theirs } = three(items, byUid)
  const merged: T[] = []
  for (const uid of new Set([...base.keys(), ...mine.keys(), ...theirs.keys()])) {
    const [b, m, t] = [base.get(uid), mine.get(uid), theirs.get(uid)]
    const left = m ?? t
    const path = `${list}.${labelOf(b ?? left)}`
    if (m && t) merged.push(merging.fields(path, keys, b, m, t))
    else if (!b) merged.push(...(left ? [left] : []))
    // A new position is not an edit.
    else if (left && !isEqual({ ...b, position: 0 }, { ...left, position: 0 })) {
      merging.conflicts.push({ path, field: 'deleted', base: b, mine: m ?? null, theirs: t ?? null })
      if (t && merging.takes === 'theirs') merged.push(t)
    }
  }
  return merged
}

/** Merged items in merged order, numbered; if the order equals the order of one side, its numbers are kept. */
export function inOrder<T extends Item>(
  merging: Merging,
  path: string,
  merged: readonly T[],
  items: Three<readonly T[]>,
): T[] {
  const sorted = three(items, list => list.toSorted((a, b) => a.position - b.position))
  const places = three(sorted, list => new Map(list.map(item => [item.uid, item.position])))
  const byMergedUid = byUid(merged)
  const keys = three(places, place => [...place.keys()])
  const order = mergeOrder(keys.base, keys.mine, keys.theirs, new Set(byMergedUid.keys()))
  if (!order) {
    merging.conflicts.push({ path, field: 'order', ...three(sorted, list => list.map(labelOf)) })
    return merging.takes === 'mine' ? [...merged] : inTheirOrder(merged, items.theirs)
  }
  // An item that mine deleted and theirs converted keeps the position of theirs.
  if (order.length < byMergedUid.size && merging.takes === 'theirs') return inTheirOrder(merged, items.theirs)
  const place = numbers(order, places)
  return order.flatMap(uid => {
    const item = byMergedUid.get(uid)
    return item ? { ...item, position: place.get(uid) ?? item.position } : []
  })
}

/** Sorts the items in the order of theirs, followed by those that only mine has. */
function inTheirOrder<T extends Item>(items: readonly T[], theirs: readonly T[]): T[] {
  const there = new Map(theirs.map(item => [item.uid, item.position]))
  const place = ({ uid }: T) => there.get(uid) ?? Infinity
  return items
    .toSorted((a, b) => (place(a) === place(b) ? a.position - b.position : place(a) - place(b)))
    .map((item, position) => ({ ...item, position }))
}

/** Display name of an item. */
export function labelOf(item: object | undefined): string {
  if (item && 'foreignKeyTypeAttribute' in item) return String(item.foreignKeyTypeAttribute)
  return item && 'name' in item ? String(item.name) : ''
}

function numbers(
  order: readonly string[],
  { base, mine, theirs }: Three<ReadonlyMap<string, number>>,
): ReadonlyMap<string, number> {
  const fits = (side: ReadonlyMap<string, number>) => isEqual([...side.keys()], order)
  const isSame = (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>) => isEqual([...a], [...b])
  const numbered = new Map(order.map((uid, position) => [uid, position]))
  if (fits(mine) && fits(theirs)) {
    if (isSame(mine, theirs) || isSame(theirs, base)) return mine
    return isSame(mine, base) ? theirs : numbered
  }
  if (fits(mine)) return mine
  return fits(theirs) ? theirs : numbered
}

function byUid<T extends Item>(items: readonly T[]): Map<string, T> {
  return new Map(items.map(item => [item.uid, item]))
}
