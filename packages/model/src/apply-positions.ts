/** An attribute with its requested and its previous position, if any. */
export type Placed<T> = { value: T; requested: number | undefined; before: number | undefined }

type Positioned = { position: number }

/**
 * A common order for both lists, numbered from 0, or with the previous numbers if nothing moved. Requested positions take precedence;
 * without one an item keeps its position, a reordered list keeps its set of positions, and a new item follows its predecessor in the list
 * or comes last.
 */
export function assignPositions<A extends Positioned, B extends Positioned>(
  first: readonly Placed<A>[],
  second: readonly Placed<B>[],
): { first: A[]; second: B[] } {
  const firstKeys = keysOf(first)
  const secondKeys = keysOf(second)
  const order = [
    ...first.map((_, index) => ({ list: 0, index, key: firstKeys[index] ?? 0 })),
    ...second.map((_, index) => ({ list: 1, index, key: secondKeys[index] ?? 0 })),
  ].toSorted((a, b) => (a.key === b.key ? 0 : a.key - b.key))
  const befores = order.map(({ list, index }) => (list === 0 ? first[index] : second[index])?.before)
  const numbers = previousNumbers(befores) ?? befores.map((_, index) => index)
  const answer: { first: A[]; second: B[] } = { first: [], second: [] }
  for (const [place, { list, index }] of order.entries()) {
    const position = numbers[place] ?? place
    const a = list === 0 ? first[index] : undefined
    const b = list === 1 ? second[index] : undefined
    // Items keep their identity if their position is unchanged.
    if (a) answer.first.push(a.value.position === position ? a.value : { ...a.value, position })
    if (b) answer.second.push(b.value.position === position ? b.value : { ...b.value, position })
  }
  return answer
}

/** The previous numbers, with higher ones for new items, if the order allows: unmoved items are then unchanged. */
function previousNumbers(befores: readonly (number | undefined)[]): number[] | undefined {
  const numbers: number[] = []
  let next = 0
  for (const before of befores) {
    const number = before ?? next
    if (number < next) return undefined
    numbers.push(number)
    next = number + 1
  }
  return numbers
}

function keysOf(items: readonly Placed<unknown>[]): number[] {
  const unplaced = items.filter(item => item.requested === undefined)
  const oldPlaces = unplaced.flatMap(item => item.before ?? []).toSorted((a, b) => a - b)
  const lastPlaced = items.findLastIndex(item => item.requested !== undefined || item.before !== undefined)
  let key = -1
  let next = 0
  return items.map((item, index) => {
    if (item.requested !== undefined) key = item.requested
    else if (item.before !== undefined) key = oldPlaces[next++] ?? item.before
    else if (index > lastPlaced) key = Number.POSITIVE_INFINITY
    return key
  })
}
