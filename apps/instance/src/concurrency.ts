/**
 * A set of short-lived items with constant-time insertion and removal and no allocations. `slotIndex` is -1 for items
 * that are not in it.
 */
export class Slots<T extends { slotIndex: number }> {
  readonly #items: T[] = []

  get all(): readonly T[] {
    return this.#items
  }

  add(one: T): void {
    one.slotIndex = this.#items.push(one) - 1
  }

  /** Returns whether the item was in the set. */
  remove(one: T): boolean {
    const { slotIndex } = one
    if (slotIndex < 0) return false
    one.slotIndex = -1
    const last = this.#items.pop()
    if (last && last !== one) {
      this.#items[slotIndex] = last
      last.slotIndex = slotIndex
    }
    return true
  }
}

export function serialQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
