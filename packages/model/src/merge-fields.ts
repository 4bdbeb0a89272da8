import { isEqual, isRecord } from './equal.ts'

/** Both sides changed one field in different ways. `path` names the part of the content, '' the content itself. */
export type Conflict = { path: string; field: string; base: unknown; mine: unknown; theirs: unknown }

export type Merge<T> = { merged: T; conflicts?: undefined } | { merged?: undefined; conflicts: Conflict[] }

/** The merge so far: conflicts gather here, and a conflicting field takes one side: mine until the answer is thrown away, or theirs for good. */
export class Merging {
  readonly conflicts: Conflict[] = []
  readonly takes: 'mine' | 'theirs'

  constructor(takes: 'mine' | 'theirs' = 'mine') {
    this.takes = takes
  }

  /** The value of one field: the side that changed it wins; where both did, differently, it is a conflict. */
  field<T>(path: string, field: string, base: T | undefined, mine: T, theirs: T): T {
    for (const same of [isEqual, isSameReference]) {
      if (same(mine, base)) return theirs
      if (same(theirs, base) || same(mine, theirs)) return mine
    }
    this.conflicts.push({ path, field, base: base ?? null, mine, theirs })
    return this.takes === 'mine' ? mine : theirs
  }

  /** The record field by field. Without a base both sides added it. */
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

/** Any JSON record, key by key and inwards; lists and values count as one field. For configurations. */
export function mergeRecords<T extends object>(base: T, mine: T, theirs: T): Merge<T> {
  const merging = new Merging()
  const inner = (path: string, b: unknown, m: unknown, t: unknown): unknown => {
    if (!isRecord(b) || !isRecord(m) || !isRecord(t)) return m
    const entries = Object.keys({ ...b, ...m, ...t }).map(key => {
      const [from, left, right] = [b[key], m[key], t[key]]
      const isInner = isRecord(from) && isRecord(left) && isRecord(right)
      const value = isInner
        ? inner(path === '' ? key : `${path}.${key}`, from, left, right)
        : merging.field(path, key, from, left, right)
      return [key, value]
    })
    return Object.fromEntries(entries)
  }
  return merging.answer({ ...mine, ...recordOf(inner('', base, mine, theirs)) })
}

function recordOf(value: unknown): object {
  return isRecord(value) ? value : {}
}

/** References to stored entities are the same where their handle is: name and path are only as they were when it was stored. */
export function isSameReference(a: unknown, b: unknown): boolean {
  return isEqual(withoutNames(a), withoutNames(b))
}

function withoutNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNames)
  if (!isRecord(value)) return value
  if (typeof value.id === 'number' && typeof value.path === 'string') {
    if (value.id > 0) return { id: value.id }
    return typeof value.uid === 'string' ? { uid: value.uid } : value
  }
  if (!isRecord(value.entity)) return value
  const entity = withoutNames(value.entity)
  return typeof value.attributeUid === 'string' ? { entity, attributeUid: value.attributeUid } : { ...value, entity }
}
