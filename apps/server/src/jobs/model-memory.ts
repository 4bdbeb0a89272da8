import { getHeapStatistics } from 'node:v8'

export type MemoryLimits = {
  /**
   * Of all that is kept together. A model that is larger by itself is not kept at all: what is found out about it takes some ten times
   * its size, which leaves the thread no room for the next one, and to keep a part of it would be to look at all of it again.
   */
  size: number
  /** How long a model is kept that nobody asks for, in milliseconds. */
  idle: number
  /** Of the memory that a thread may have: who comes when it has more finds nothing kept. */
  heapShare: number
}

/** A manifest as an organisation sees it: what another one sees of it is remembered apart. */
type Place = { organisationId: number; manifestId: number }

type Kept<M> = { model: M; usedAt: number }

/**
 * Models that were asked for last, as many as a thread may keep. Nothing in them is taken for true: whoever uses one asks the store
 * what is there now.
 */
export class ModelMemory<M extends { readonly size: number }> {
  readonly #make: () => M
  readonly #limits: MemoryLimits
  readonly #now: () => number
  /** The one that was used last comes last. */
  readonly #kept = new Map<string, Kept<M>>()

  constructor(make: () => M, limits: MemoryLimits, now: () => number = Date.now) {
    this.#make = make
    this.#limits = limits
    this.#now = now
  }

  get size(): number {
    return this.#kept.values().reduce((sum, { model }) => sum + model.size, 0)
  }

  /** Works with what is known of the manifest, from nothing where that is nothing. Work that fails leaves nothing half done behind. */
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

  /** What was deleted is not kept for longer. */
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
