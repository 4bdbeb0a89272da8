/** An attribute on its way into a content: the position it asks for and the one it had, where there are such. */
export type Placed<T> = { value: T; wanted: number | undefined; before: number | undefined }

type Positioned = { position: number }

/**
 * One order over both lists, numbered from 0, or as before where nothing moved. A wanted position counts; without one an item keeps its old place, a list that was
 * reordered keeps its places as a whole, and what is new follows the item before it in its list, or comes last.
 */
export function positioned<A extends Positioned, B extends Positioned>(
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
  const numbers = keptNumbers(befores) ?? befores.map((_, index) => index)
  const answer: { first: A[]; second: B[] } = { first: [], second: [] }
  for (const [place, { list, index }] of order.entries()) {
    const position = numbers[place] ?? place
    const a = list === 0 ? first[index] : undefined
    const b = list === 1 ? second[index] : undefined
    // What stays where it is stays what it is.
    if (a) answer.first.push(a.value.position === position ? a.value : { ...a.value, position })
    if (b) answer.second.push(b.value.position === position ? b.value : { ...b.value, position })
  }
  return answer
}

/** The old numbers, with higher ones for what is new, where the order allows it: what did not move is then unchanged. */
function keptNumbers(befores: readonly (number | undefined)[]): number[] | undefined {
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
  const unplaced = items.filter(item => item.wanted === undefined)
  const oldPlaces = unplaced.flatMap(item => item.before ?? []).toSorted((a, b) => a - b)
  const lastKnown = items.findLastIndex(item => item.wanted !== undefined || item.before !== undefined)
  let key = -1
  let next = 0
  return items.map((item, index) => {
    if (item.wanted !== undefined) key = item.wanted
    else if (item.before !== undefined) key = oldPlaces[next++] ?? item.before
    else if (index > lastKnown) key = Number.POSITIVE_INFINITY
    return key
  })
}
