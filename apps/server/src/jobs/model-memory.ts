import { getHeapStatistics } from 'node:v8'

export type MemoryLimits = {
  /**
   * Maximum total size, in the unit of `M.size`. Larger models are not cached: derived data takes about ten times their
   * size, which would leave no room for the next model, and a partial cache would be useless.
   */
  size: number
  /** Milliseconds after which an unused model is dropped. */
  idle: number
  /** Share of the heap limit above which the cache is cleared before the next use. */
  heapShare: number
}

/** A manifest as seen by one organisation; other organisations have separate cache entries. */
type Place = { organisationId: number; manifestId: number }

type Kept<M> = { model: M; usedAt: number }

/** An LRU cache of models. Entries may be outdated: users check them against the store. */
export class ModelMemory<M extends { readonly size: number }> {
  readonly #make: () => M
  readonly #limits: MemoryLimits
  readonly #now: () => number
  /** Ordered by last use, the most recent last. */
  readonly #kept = new Map<string, Kept<M>>()

  constructor(make: () => M, limits: MemoryLimits, now: () => number = Date.now) {
    this.#make = make
    this.#limits = limits
    this.#now = now
  }

  get size(): number {
    return this.#kept.values().reduce((sum, { model }) => sum + model.size, 0)
  }

  /** Runs work with the cached model, or a new one. If the work fails, the entry is dropped. */
  async with<T>(place: Place, work: (model: M) => Promise<T>): Promise<T> {
    this.forgetIdle()
    if (isCrowded(this.#limits.heapShare)) this.#kept.clear()
    const key = keyOf(place)
    const model = this.#kept.get(key)?.model ?? this.#make()
    this.#kept.delete(key)
    const result = await work(model)
    this.#kept.set(key, { model, usedAt: this.#now() })
    this.#forgetMost()
    return result
  }

  /** Drops the entry of a deleted manifest. */
  forget(place: Place): void {
    this.#kept.delete(keyOf(place))
  }

  forgetIdle(): void {
    const before = this.#now() - this.#limits.idle
    for (const [key, { usedAt }] of this.#kept) if (usedAt < before) this.#kept.delete(key)
  }

  #forgetMost(): void {
    let size = this.size
    for (const [key, { model }] of this.#kept) {
      if (size <= this.#limits.size) return
      size -= model.size
      this.#kept.delete(key)
    }
  }
}

function keyOf({ organisationId, manifestId }: Place): string {
  return `${organisationId} ${manifestId}`
}

function isCrowded(share: number): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  return used > limit * share
}
