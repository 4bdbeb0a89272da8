import { getHeapStatistics } from 'node:v8'

export type CacheLimits = {
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

type CacheEntry<M> = { model: M; usedAt: number }

/** An LRU cache of models. Entries may be outdated: users check them against the store. */
export class ModelCache<M extends { readonly size: number }> {
  readonly #make: () => M
  readonly #limits: CacheLimits
  readonly #now: () => number
  /** Ordered by last use, the most recent last. */
  readonly #entries = new Map<string, CacheEntry<M>>()

  constructor(make: () => M, limits: CacheLimits, now: () => number = Date.now) {
    this.#make = make
    this.#limits = limits
    this.#now = now
  }

  get size(): number {
    return this.#entries.values().reduce((sum, { model }) => sum + model.size, 0)
  }

  /** Runs work with the cached model, or a new one. If the work fails, the entry is dropped. */
  async with<T>(place: Place, work: (model: M) => Promise<T>): Promise<T> {
    this.dropIdle()
    if (isHeapNearlyFull(this.#limits.heapShare)) this.#entries.clear()
    const key = keyOf(place)
    const model = this.#entries.get(key)?.model ?? this.#make()
    this.#entries.delete(key)
    const result = await work(model)
    this.#entries.set(key, { model, usedAt: this.#now() })
    this.#evict()
    return result
  }

  /** Drops the entry of a deleted manifest. */
  forget(place: Place): void {
    this.#entries.delete(keyOf(place))
  }

  dropIdle(): void {
    const before = this.#now() - this.#limits.idle
    for (const [key, { usedAt }] of this.#entries) if (usedAt < before) this.#entries.delete(key)
  }

  #evict(): void {
    let size = this.size
    for (const [key, { model }] of this.#entries) {
      if (size <= this.#limits.size) return
      size -= model.size
      this.#entries.delete(key)
    }
  }
}

function keyOf({ organisationId, manifestId }: Place): string {
  return `${organisationId} ${manifestId}`
}

function isHeapNearlyFull(share: number): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  return used > limit * share
}
