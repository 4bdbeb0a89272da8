export type FairQueueSettings = {
  /** How many run at once, and how many of one owner. */
  readonly slots: number
  readonly slotsOfOne: number
  /** How many may wait, and how many of one owner. */
  readonly waiting: number
  readonly waitingOfOne: number
  /** For those who come when so many wait, or wait longer than they would. */
  refusal(): Error
}

/**
 * What ends the waiting of one: its caller went away, or so many milliseconds went by. `isBegun`: it is a part of what runs already,
 * and waits however many do.
 */
export type Stop = { signal?: AbortSignal | undefined; patience?: number | undefined; isBegun?: boolean }

type Waiting<Owner> = {
  readonly owners: readonly Owner[]
  readonly isBegun: boolean
  readonly begin: () => void
  readonly leaveWith: (reason: unknown) => void
}

/**
 * Lets so many pieces of work run at once. The others wait: next is the owner of whom the fewest run, among those the one who was
 * served longest ago. Where too many wait, an owner with several gives its last place to one with fewer; whoever has none is refused.
 *
 * Work may have several owners, as an address within a package: the fewest running count by the first owner, then by the others; the
 * longest wait and the places count by the last owner first.
 */
export class FairQueue<Owner extends number | string> {
  readonly #settings: FairQueueSettings
  readonly #running = new Map<Owner, number>()
  /** Of those who run or wait: when they were served last. */
  readonly #served = new Map<Owner, number>()
  #waiting: Waiting<Owner>[] = []
  #slotsTaken = 0
  #count = 0

  constructor(settings: FairQueueSettings) {
    this.#settings = settings
  }

  /** Nothing runs, nothing waits. */
  get isIdle(): boolean {
    return this.#running.size === 0 && this.#waiting.length === 0
  }

  async run<T>(owner: Owner, work: () => Promise<T>, stop?: Stop): Promise<T> {
    const end = await this.begin(owner, stop)
    try {
      return await work()
    } finally {
      end()
    }
  }

  /** Waits for a turn; answers how to end it. Who goes away or loses patience while waiting leaves its place. */
  async begin(owner: Owner | readonly Owner[], stop: Stop = {}): Promise<() => void> {
    const owners = typeof owner === 'object' ? owner : [owner]
    stop.signal?.throwIfAborted()
    if (this.#mayRun(owners)) this.#start(owners)
    else await this.#wait(owners, stop)
    return () => this.#end(owners)
  }

  async #wait(owners: readonly Owner[], { signal, patience, isBegun = false }: Stop): Promise<void> {
    const { refusal } = this.#settings
    if (!isBegun) this.#makeRoom(owners)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leaveWith = (reason: unknown) => {
      this.#waiting = this.#waiting.filter(other => other !== waiting)
      this.#forget(owners)
      reject(reason)
    }
    const waiting: Waiting<Owner> = { owners, isBegun, begin: resolve, leaveWith }
    const leave = () => leaveWith(signal?.reason)
    const late = patience === undefined ? undefined : setTimeout(() => leaveWith(refusal()), patience)
    this.#waiting.push(waiting)
    signal?.addEventListener('abort', leave, { once: true })
    try {
      await promise
    } finally {
      clearTimeout(late)
      signal?.removeEventListener('abort', leave)
    }
  }

  /** Throws the refusal where the owner has its share of the places. */
  #makeRoom(owners: readonly Owner[]): void {
    const { waiting: most, waitingOfOne, refusal } = this.#settings
    if (this.#waiting.filter(one => one.owners[0] === owners[0]).length >= waitingOfOne) throw refusal()
    if (this.#waiting.length < most) return
    let rivals = this.#waiting
    let hasMore = false
    for (let level = owners.length - 1; level >= 0; level -= 1) {
      const groups = Map.groupBy(rivals, one => one.owners[level])
      const largest = [...groups.values()].reduce((one, other) => (other.length > one.length ? other : one), [])
      const own = groups.get(owners[level]) ?? []
      const isLarger = largest.length > own.length + 1
      rivals = hasMore || isLarger ? largest : own
      hasMore ||= isLarger
    }
    const last = hasMore ? rivals.findLast(one => !one.isBegun) : undefined
    if (last === undefined) throw refusal()
    last.leaveWith(refusal())
  }

  #mayRun(owners: readonly Owner[]): boolean {
    const { slots, slotsOfOne } = this.#settings
    return this.#slotsTaken < slots && owners.every(owner => this.#runningOf(owner) < slotsOfOne)
  }

  #runningOf(owner: Owner): number {
    return this.#running.get(owner) ?? 0
  }

  #start(owners: readonly Owner[]): void {
    this.#slotsTaken += 1
    for (const owner of owners) {
      this.#running.set(owner, this.#runningOf(owner) + 1)
      this.#served.set(owner, this.#count)
    }
    this.#count += 1
  }

  #end(owners: readonly Owner[]): void {
    this.#slotsTaken -= 1
    for (const owner of owners) {
      const left = this.#runningOf(owner) - 1
      if (left > 0) this.#running.set(owner, left)
      else this.#running.delete(owner)
    }
    const next = this.#next()
    if (next !== undefined) {
      this.#waiting = this.#waiting.filter(other => other !== next)
      this.#start(next.owners)
      next.begin()
    }
    this.#forget(owners)
  }

  /** Owners may be many: of those who have nothing here nothing is remembered. */
  #forget(owners: readonly Owner[]): void {
    for (const owner of owners) {
      if (this.#runningOf(owner) > 0 || this.#waiting.some(other => other.owners.includes(owner))) continue
      this.#served.delete(owner)
    }
  }

  #next(): Waiting<Owner> | undefined {
    const ranked = this.#waiting
      .filter(({ owners }) => this.#mayRun(owners))
      .map(one => {
        const running = one.owners.map(owner => this.#runningOf(owner))
        const served = one.owners.map(owner => this.#served.get(owner) ?? -1)
        return { one, rank: [...running, ...served.toReversed()] }
      })
    return ranked.toSorted((one, other) => difference(one.rank, other.rank))[0]?.one
  }
}

/** Of the first numbers that differ. */
function difference(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((rank, index) => rank !== other[index])
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0)
}
