import type { EntityLookup } from './inherit.ts'

/** Ids whose value was added, removed or replaced. */
export function changedIn<T>(before: ReadonlyMap<number, T>, now: ReadonlyMap<number, T>): Set<number> {
  const changed = new Set<number>()
  let commonCount = 0
  for (const [id, one] of now) {
    const other = before.get(id)
    if (other !== undefined) commonCount += 1
    if (other !== one) changed.add(id)
  }
  if (commonCount < before.size) for (const id of before.keys()) if (!now.has(id)) changed.add(id)
  return changed
}

/** Adds the ids of an entity and all its ancestors, existing or not. */
export function addLine(id: number, lookup: EntityLookup, ids: Set<number>): void {
  for (let next: number | undefined = id; next !== undefined && !ids.has(next);) {
    ids.add(next)
    next = lookup(next)?.extendsEntity?.id
  }
}

export function hasAny(ids: readonly number[], among: ReadonlySet<number>): boolean {
  return among.size > 0 && ids.some(id => among.has(id))
}
