const span = 60_000
/** Number of keys after which those without a recent failure are forgotten. */
const remembered = 10_000

/** A key to count failures by, and its limit per minute. */
export type Count = { readonly key: string; readonly max: number }

/**
 * Counts failures of the last minute. Times are kept in two generations, the older of which is dropped as a whole, so the cost of an
 * attempt does not depend on the number of keys.
 */
export class Failures {
  readonly #now: () => number
  readonly #refusal: (seconds: number) => Error
  #recent = new Map<string, readonly number[]>()
  #elder: ReadonlyMap<string, readonly number[]> = new Map()
  #since: number

  /** `refusal`: error after too many failures; `seconds` until the next attempt. */
  constructor(now: () => number, refusal: (seconds: number) => Error) {
    this.#now = now
    this.#refusal = refusal
    this.#since = now()
  }

  /**
   * Throws the refusal if a key has reached its limit. An attempt counts as a failure from its start, so that parallel attempts cannot
   * exceed the limit; the returned function uncounts a successful one.
   */
  begin(counts: readonly Count[]): () => void {
    const now = this.#now()
    for (const { key, max } of counts) {
      const times = this.#timesOf(key)
      if (times.length < max) continue
      throw this.#refusal(Math.max(1, Math.ceil(((times.at(-max) ?? now) + span - now) / 1000)))
    }
    for (const { key } of counts) this.#recent.set(key, [...this.#timesOf(key), now])
    return () => {
      for (const { key } of counts) {
        const times = this.#timesOf(key)
        const at = times.indexOf(now)
        if (at < 0) continue
        // Successful attempts must not keep keys in memory.
        if (times.length === 1 && !this.#elder.has(key)) this.#recent.delete(key)
        else this.#recent.set(key, times.toSpliced(at, 1))
      }
    }
  }

  count(key: string): number {
    return this.#timesOf(key).length
  }

  #timesOf(key: string): readonly number[] {
    const now = this.#now()
    if (now - this.#since >= span || this.#recent.size >= remembered) {
      this.#elder = this.#recent
      this.#recent = new Map()
      this.#since = now
    }
    return (this.#recent.get(key) ?? this.#elder.get(key) ?? []).filter(time => time > now - span)
  }
}
