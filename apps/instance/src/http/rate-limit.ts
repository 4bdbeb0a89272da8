import { HttpError } from '../http-error.ts'

type Bucket = { tokens: number; at: number }

/** So many callers are remembered before the ones at rest are forgotten. */
const remembered = 10_000

/** A token bucket per caller: `burst` requests at once, refilled with `perSecond`. */
export class RateLimit {
  readonly #perSecond: number
  readonly #burst: number
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()

  constructor(perSecond: number, burst: number, now: () => number) {
    this.#perSecond = perSecond
    this.#burst = burst
    this.#now = now
  }

  /** Takes one token of the caller's, or throws 429 with the seconds until there is one. */
  take(caller: string): void {
    const now = this.#now()
    const bucket = this.#buckets.get(caller) ?? { tokens: this.#burst, at: now }
    bucket.tokens = Math.min(this.#burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * this.#perSecond)
    bucket.at = now
    if (this.#buckets.size >= remembered) this.#forget(now)
    this.#buckets.set(caller, bucket)
    if (bucket.tokens < 1) {
      const seconds = Math.max(1, Math.ceil((1 - bucket.tokens) / this.#perSecond))
      throw new HttpError(429, 'Too many requests. Try again in a moment.', { 'retry-after': String(seconds) })
    }
    bucket.tokens -= 1
  }

  #forget(now: number): void {
    const full = (this.#burst / this.#perSecond) * 1000
    for (const [caller, bucket] of this.#buckets) {
      if (now - bucket.at > full) this.#buckets.delete(caller)
    }
  }
}
