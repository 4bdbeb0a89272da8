type Bucket = { tokens: number; at: number }

type Settings = {
  readonly perSecond: number
  readonly burst: number
  /** Milliseconds. */
  now(): number
  /** Error for a refused caller; `seconds` until the next attempt. */
  refusal(seconds: number): Error
}

/** A generation also ends with this number of callers, to bound memory; with more at once some start anew. */
const remembered = 100_000

/**
 * A token bucket per caller: a burst of `burst` requests, refilled with `perSecond`. Buckets are kept in two generations, the older of
 * which is dropped once all its buckets are full again, so the cost per request does not depend on the number of callers.
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

  /** Takes a token of the caller or throws the refusal. */
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
    const recent = this.#recent.get(caller)
    if (recent !== undefined) return recent
    const bucket = this.#elder.get(caller) ?? { tokens: burst, at: moment }
    this.#recent.set(caller, bucket)
    return bucket
  }
}

/** Key for limits by address: an IPv4 address, or the /64 network of an IPv6 address, which one caller controls. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail = ''] = address.split('::')
  const [first, last] = [head, tail].map(part => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: Math.max(0, 8 - (first?.length ?? 0) - (last?.length ?? 0)) }, () => '0')
  const groups = [...(first ?? []), ...zeros, ...(last ?? [])]
  return `${groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
