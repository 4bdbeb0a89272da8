import { isEqual, isRecord } from './equal.ts'

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

/** Merges JSON records recursively by key; lists and values are one field. For configurations. */
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

/** References to stored entities are equal if their ids are: name and path date from the time of storing. */
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
