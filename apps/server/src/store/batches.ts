/** A list in pieces of at most `size`: a statement takes only so many values. */
export function* inBatches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}

/** The same for what is of different weight: a piece ends where it has so many items, or weighs so much. */
export function* inWeighedBatches<T>(
  items: Iterable<T>,
  most: { items: number; weight: number },
  weightOf: (item: T) => number,
): Generator<T[]> {
  let part: T[] = []
  let weight = 0
  for (const item of items) {
    part.push(item)
    weight += weightOf(item)
    if (part.length < most.items && weight < most.weight) continue
    yield part
    part = []
    weight = 0
  }
  if (part.length > 0) yield part
}
