const span = 60_000
/** So many are remembered before those without a recent failure are forgotten. */
const remembered = 10_000

/** What failures are counted by, and how many a minute there may be. */
export type Count = { readonly key: string; readonly most: number }

/**
 * Counts what went wrong in the last minute. Times are in two generations, the elder of which is forgotten as a whole: an attempt costs the
 * same however many keys there are.
 */
export class Failures {
  readonly #now: () => number
  readonly #refusal: (seconds: number) => Error
  #recent = new Map<string, readonly number[]>()
  #elder: ReadonlyMap<string, readonly number[]> = new Map()
  #since: number

  /** `refusal`: what is thrown after too many failures, told after how many seconds the next attempt may come. */
  constructor(now: () => number, refusal: (seconds: number) => Error) {
    this.#now = now
    this.#refusal = refusal
    this.#since = now()
  }

  /**
   * Throws the refusal after the most failures of one count. An attempt counts as one from its beginning, so that many at once are no way around
   * it; the answer takes that back, for one that succeeded.
   */
  begin(counts: readonly Count[]): () => void {
    const now = this.#now()
    for (const { key, most } of counts) {
      const times = this.#timesOf(key)
      if (times.length < most) continue
      throw this.#refusal(Math.max(1, Math.ceil(((times.at(-most) ?? now) + span - now) / 1000)))
    }
    for (const { key } of counts) this.#recent.set(key, [...this.#timesOf(key), now])
    return () => {
      for (const { key } of counts) {
        const times = this.#timesOf(key)
        const at = times.indexOf(now)
        if (at < 0) continue
        // Attempts that are no failures leave nothing behind.
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
