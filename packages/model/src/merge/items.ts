import { isEqual, isRecord } from '../equal.ts'

/** A field changed by both sides in different ways. `path`: part of the content, '' for the content itself. */
export type Conflict = { path: string; field: string; base: unknown; mine: unknown; theirs: unknown }

export type Merge<T> = { merged: T; conflicts?: undefined } | { merged?: undefined; conflicts: Conflict[] }

/**
 * State of a merge; collects conflicts. A conflicting field takes the preferred side: mine for a result that is discarded, theirs
 * otherwise.
 */
export class Merging {
  readonly conflicts: Conflict[] = []
  readonly takes: 'mine' | 'theirs'

  constructor(takes: 'mine' | 'theirs' = 'mine') {
    this.takes = takes
  }

  /** Value of a field: that of the side that changed it; a conflict if both changed it differently. */
  field<T>(path: string, field: string, base: T | undefined, mine: T, theirs: T): T {
    for (const same of [isEqual, isSameReference]) {
      if (same(mine, base)) return theirs
      if (same(theirs, base) || same(mine, theirs)) return mine
    }
    this.conflicts.push({ path, field, base: base ?? null, mine, theirs })
    return this.takes === 'mine' ? mine : theirs
  }

  /** Merges a record by field. Without a base both sides added it. */
  fields<T extends object>(
    path: string,
    keys: readonly (keyof T & string)[],
    base: T | undefined,
    mine: T,
    theirs: T,
  ): T {
    const merged = { ...mine }
    for (const key of keys) merged[key] = this.field(path, key, base?.[key], mine[key], theirs[key])
    return merged
  }

  answer<T>(merged: T): Merge<T> {
    return this.conflicts.length > 0 ? { conflicts: this.conflicts } : { merged }
  }
}

/** References to stored entities are equal if their ids are: name and path date from the time of storing. */
export function isSameReference(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || isEqual(withoutNames(a), withoutNames(b))
}

function withoutNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNames)
  if (!isRecord(value)) return value
  if (typeof value.id === 'number' && typeof value.path === 'string') {
    if (value.id > 0) return { id: value.id }
    return typeof value.uid === 'string' ? { uid: value.uid } : value
  }
  if (typeof value.uid === 'string' && 'targetUid' in value)
    return { column: value.uid || value.name, target: value.targetUid ?? value.target }
  if (!isRecord(value.entity)) return value
  const entity = withoutNames(value.entity)
  return typeof value.attributeUid === 'string' ? { entity, attributeUid: value.attributeUid } : { ...value, entity }
}

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

/**
 * Merges two orders with a common base. `keep`: keys of the result, each in `mine` or `theirs`. Items moved or added by
 * one side get the position of that side, relative to unmoved items; an item that both sides moved differently is a
 * conflict (undefined). Symmetric in both sides.
 */
export function mergeOrder(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
  keep: ReadonlySet<string>,
): string[] | undefined {
  const left = new Side(base, mine, keep)
  const right = new Side(base, theirs, keep)
  const skeleton = base.filter(key => keep.has(key) && left.stays.has(key) && right.stays.has(key))
  const isFixed = new Set(skeleton)
  const isLeft = (key: string) => !isFixed.has(key) && !left.stays.has(key)
  const isRight = (key: string) => !isFixed.has(key) && !right.stays.has(key)
  const leftGaps = left.gaps(isFixed, isLeft)
  const rightGaps = right.gaps(isFixed, isRight)
  const order: string[] = []
  for (const anchor of [START, ...skeleton]) {
    if (anchor !== START) order.push(anchor)
    const gap = mergeGap(leftGaps.get(anchor) ?? [], rightGaps.get(anchor) ?? [])
    if (!gap) return undefined
    order.push(...gap)
  }
  // A key moved by both sides to different anchors appears twice.
  return new Set(order).size === order.length ? order : undefined
}

/** Keys in both orders that need not have moved: the longest common subsequence. */
export function unmovedKeys(base: readonly string[], order: readonly string[]): ReadonlySet<string> {
  const places = new Map(base.map((key, index) => [key, index]))
  return longestRise(
    order.filter(key => places.has(key)),
    key => places.get(key) ?? 0,
  )
}

const START = ''

class Side {
  /** Keys that this side left in place relative to each other. */
  readonly stays: ReadonlySet<string>
  private readonly order: readonly string[]

  constructor(base: readonly string[], order: readonly string[], keep: ReadonlySet<string>) {
    this.order = order.filter(key => keep.has(key))
    this.stays = unmovedKeys(base, this.order)
  }

  /** The requested keys by the fixed key before them. */
  gaps(isFixed: ReadonlySet<string>, isWanted: (key: string) => boolean): Map<string, string[]> {
    const gaps = new Map<string, string[]>()
    let anchor = START
    for (const key of this.order) {
      if (isFixed.has(key)) anchor = key
      else if (isWanted(key)) {
        const gap = gaps.get(anchor)
        if (gap) gap.push(key)
        else gaps.set(anchor, [key])
      }
    }
    return gaps
  }
}

/** Keys of both sides keep their order; between them the side with the lower first key comes first. */
function mergeGap(left: readonly string[], right: readonly string[]): string[] | undefined {
  const inRight = new Set(right)
  const inLeft = new Set(left)
  const common = left.filter(key => inRight.has(key))
  if (right.filter(key => inLeft.has(key)).some((key, index) => key !== common[index])) return undefined
  const leftRuns = runs(left, inRight)
  const rightRuns = runs(right, inLeft)
  return leftRuns.flatMap((run, index) => {
    const between = common[index - 1]
    return [...(between === undefined ? [] : [between]), ...lowerFirst(run, rightRuns[index] ?? [])]
  })
}

function runs(keys: readonly string[], isCommon: ReadonlySet<string>): string[][] {
  const answer: string[][] = [[]]
  for (const key of keys) {
    if (isCommon.has(key)) answer.push([])
    else answer.at(-1)?.push(key)
  }
  return answer
}

function lowerFirst(a: readonly string[], b: readonly string[]): string[] {
  const [firstOfA, firstOfB] = [a[0], b[0]]
  if (firstOfA === undefined || firstOfB === undefined) return [...a, ...b]
  return firstOfA < firstOfB ? [...a, ...b] : [...b, ...a]
}

/** The longest increasing subsequence of positions: keys that need not have moved. */
function longestRise(keys: readonly string[], placeOf: (key: string) => number): Set<string> {
  const ends: number[] = []
  const before: number[] = []
  const places = keys.map(placeOf)
  for (const [index, place] of places.entries()) {
    const length = lowerBound(ends, end => (places[end] ?? 0) >= place)
    before[index] = ends[length - 1] ?? -1
    ends[length] = index
  }
  const rise = new Set<string>()
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const key = keys[index]
    if (key !== undefined) rise.add(key)
  }
  return rise
}

/** Index of the first passing item; passing items come after all others. */
function lowerBound(items: readonly number[], passes: (item: number) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && passes(item)) high = middle
    else low = middle + 1
  }
  return low
}
