/** Splits a list into pieces of at most `size`, because statements limit the number of values. */
export function* inBatches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}

/** Like `inBatches`, for items of different weight: a piece ends at a maximum number of items or total weight. */
export function* inWeighedBatches<T>(
  items: Iterable<T>,
  max: { items: number; weight: number },
  weightOf: (item: T) => number,
): Generator<T[]> {
  let part: T[] = []
  let weight = 0
  for (const item of items) {
    part.push(item)
    weight += weightOf(item)
    if (part.length < max.items && weight < max.weight) continue
    yield part
    part = []
    weight = 0
  }
  if (part.length > 0) yield part
}
