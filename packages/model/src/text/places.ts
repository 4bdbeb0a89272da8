import type { Mark } from './marked-text.ts'

// What lies between two names of a text, and marks at a place.

/** Items without an anchor by their neighbours with one and their shape. */
export function gaps<T>(
  items: readonly T[],
  anchorOf: (item: T) => string | undefined,
  shapeOf: (item: T) => string | undefined,
): Map<string, T[]> {
  const next: string[] = []
  let after = ''
  for (const item of items.toReversed()) {
    next.push(after)
    after = anchorOf(item) ?? after
  }
  next.reverse()
  const groups = new Map<string, T[]>()
  let before = ''
  for (const [index, item] of items.entries()) {
    const anchor = anchorOf(item)
    const shape = anchor === undefined ? shapeOf(item) : undefined
    if (shape !== undefined) {
      const key = `${before} ${next[index] ?? ''} ${shape}`
      const group = groups.get(key)
      if (group) group.push(item)
      else groups.set(key, [item])
    }
    before = anchor ?? before
  }
  return groups
}

/** Marks before a name that may reach it. */
const mostNear = 8

/** Marks by place. */
export class MarkIndex {
  readonly #marks: readonly Mark[]

  constructor(marks: readonly Mark[]) {
    this.#marks = marks.toSorted((a, b) => a.from - b.from)
  }

  /** The mark that overlaps a name, or touches it: an editor leaves an empty one of a name that is deleted. */
  at({ from, to }: { from: number; to: number }): Mark | undefined {
    let [low, high] = [0, this.#marks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#marks[middle]?.from ?? 0) <= to) low = middle + 1
      else high = middle
    }
    // Text inserted at the start of a name belongs to its mark, so that this may reach over further ones.
    const near = this.#marks.slice(Math.max(0, low - mostNear), low).toReversed()
    return near.find(mark => mark.from < to && mark.to > from) ?? near.find(mark => mark.to >= from)
  }
}
