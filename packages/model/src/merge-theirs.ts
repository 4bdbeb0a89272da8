import { labelOf, type Three } from './merge-items.ts'
import { foldName } from './paths.ts'

type Column = { uid: string; position: number }

/**
 * Resolves conflicting uses (attribute or relationship) and name conflicts in favour of theirs: keeps their item, or
 * none if they removed it. `isAlike`: whether two items belong to the same list.
 */
export function preferTheirs<T extends Column>(
  items: readonly T[],
  { base, theirs }: Pick<Three<readonly T[]>, 'base' | 'theirs'>,
  isAlike: (a: T, b: T) => boolean,
): T[] {
  const before = new Set(base.map(item => item.uid))
  const there = new Map(theirs.map(item => [item.uid, item]))
  const remaining = items.filter(item => {
    const other = there.get(item.uid)
    return other ? isAlike(item, other) : !before.has(item.uid)
  })
  return withoutCollisions(remaining, there)
}

/** While names collide, one of my items takes their form or is dropped. */
function withoutCollisions<T extends Column>(items: readonly T[], there: ReadonlyMap<string, T>): T[] {
  let left = [...items]
  for (;;) {
    const names = Map.groupBy(left, item => foldName(labelOf(item)))
    const isMine = (item: T) => {
      const other = there.get(item.uid)
      return !other || foldName(labelOf(other)) !== foldName(labelOf(item))
    }
    const giving = new Set(left.filter(item => (names.get(foldName(labelOf(item)))?.length ?? 0) > 1 && isMine(item)))
    if (giving.size === 0) return left
    left = left.flatMap(item =>
      giving.has(item) ? [there.get(item.uid)].filter(other => other !== undefined) : [item],
    )
  }
}
