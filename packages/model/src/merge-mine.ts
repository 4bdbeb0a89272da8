import { labelOf } from './merge-items.ts'
import { foldName } from './paths.ts'

type Column = { uid: string }

/**
 * Resolves name conflicts in favour of mine: their renames take my names, their additions are dropped. `renamed`: an item of theirs with my
 * name for it.
 */
export function preferMine<T extends Column>(
  items: readonly T[],
  mine: readonly T[],
  renamed: (item: T, own: T) => T,
): T[] {
  const own = new Map(mine.map(item => [item.uid, item]))
  let left = [...items]
  for (;;) {
    const names = Map.groupBy(left, nameOf)
    const givesWay = (item: T) => {
      if ((names.get(nameOf(item))?.length ?? 0) < 2) return false
      const existing = own.get(item.uid)
      return !existing || nameOf(existing) !== nameOf(item)
    }
    const giving = new Set(left.filter(givesWay))
    if (giving.size === 0) return left
    left = left.flatMap(item => {
      if (!giving.has(item)) return [item]
      const existing = own.get(item.uid)
      return existing ? [renamed(item, existing)] : []
    })
  }
}

function nameOf(item: Column): string {
  return foldName(labelOf(item))
}
