type Bucket = { tokens: number; at: number }

type Settings = {
  readonly perSecond: number
  readonly burst: number
  /** Milliseconds. */
  now(): number
  /** What a caller is refused with, told after how many seconds it may come again. */
  refusal(seconds: number): Error
}

/** A generation ends when it has so many callers, too: what is kept is bounded, and of more at once some begin anew. */
const remembered = 100_000

/**
 * A token bucket per caller: `burst` requests at once, refilled with `perSecond`. Buckets are in two generations, the elder of which goes as a
 * whole once all in it are full again: a request costs the same however many callers there are.
 */
export class RateLimit {
  readonly #settings: Settings
  #recent = new Map<string, Bucket>()
  #elder: ReadonlyMap<string, Bucket> = new Map()
  #since: number

  constructor(settings: Settings) {
    this.#settings = settings
    this.#since = settings.now()
  }

  /** Takes one token of the caller's, or throws the refusal. */
  take(caller: string): void {
    const { perSecond, burst, now, refusal } = this.#settings
    const moment = now()
    const bucket = this.#bucketOf(caller, moment)
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, moment - bucket.at) / 1000) * perSecond)
    bucket.at = moment
    if (bucket.tokens < 1) throw refusal(Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)))
    bucket.tokens -= 1
  }

  #bucketOf(caller: string, moment: number): Bucket {
    const { perSecond, burst } = this.#settings
    const isOver = moment - this.#since >= (burst / perSecond) * 1000
    if (isOver || this.#recent.size >= remembered) {
      this.#elder = this.#recent
      this.#recent = new Map()
      this.#since = moment
    }
    const known = this.#recent.get(caller)
    if (known !== undefined) return known
    const bucket = this.#elder.get(caller) ?? { tokens: burst, at: moment }
    this.#recent.set(caller, bucket)
    return bucket
  }
}
