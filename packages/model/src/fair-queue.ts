export type FairQueueSettings = {
  /** Limit of running tasks, in total and per owner. */
  readonly slots: number
  readonly slotsOfOne: number
  /** Limit of waiting tasks, in total and per owner. */
  readonly waiting: number
  readonly waitingOfOne: number
  /** Error for tasks that exceed the limits or time out. */
  refusal(): Error
}

/**
 * Ends the waiting of a task: abort by its caller, or a timeout in milliseconds. `isBegun`: part of a running task, exempt from the waiting
 * limit.
 */
export type Stop = { signal?: AbortSignal | undefined; timeout?: number | undefined; isBegun?: boolean }

type Waiting<Owner> = {
  readonly owners: readonly Owner[]
  readonly isBegun: boolean
  readonly begin: () => void
  readonly rejectWith: (reason: unknown) => void
}

/**
 * Limits concurrent tasks. The next slot goes to the owner with the fewest running tasks, among those to the least recently served. When
 * too many wait, an owner with several gives its last place to one with fewer; an owner without a place is refused. A task may have several
 * owners, such as an address within a package: running tasks are compared by the first owner, then by the others; waiting time and places
 * by the last owner first.
 */
export class FairQueue<Owner extends number | string> {
  readonly #settings: FairQueueSettings
  readonly #running = new Map<Owner, number>()
  /** Time of last service of owners with running or waiting tasks. */
  readonly #served = new Map<Owner, number>()
  #waiting: Waiting<Owner>[] = []
  #slotsTaken = 0
  #count = 0

  constructor(settings: FairQueueSettings) {
    this.#settings = settings
  }

  /** Whether no task runs or waits. */
  get isIdle(): boolean {
    return this.#running.size === 0 && this.#waiting.length === 0
  }

  async run<T>(owner: Owner | readonly Owner[], work: () => Promise<T>, stop?: Stop): Promise<T> {
    const end = await this.begin(owner, stop)
    try {
      return await work()
    } finally {
      end()
    }
  }

  /** Waits for a slot; returns the function that releases it. An abort or timeout gives up the place. */
  async begin(owner: Owner | readonly Owner[], stop: Stop = {}): Promise<() => void> {
    const owners = typeof owner === 'object' ? owner : [owner]
    stop.signal?.throwIfAborted()
    if (this.#mayRun(owners)) this.#start(owners)
    else await this.#wait(owners, stop)
    return () => this.#end(owners)
  }

  async #wait(owners: readonly Owner[], { signal, timeout, isBegun = false }: Stop): Promise<void> {
    const { refusal } = this.#settings
    if (!isBegun) this.#makeRoom(owners)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const rejectWith = (reason: unknown) => {
      this.#waiting = this.#waiting.filter(other => other !== waiting)
      this.#forget(owners)
      reject(reason)
    }
    const waiting: Waiting<Owner> = { owners, isBegun, begin: resolve, rejectWith }
    const leave = () => rejectWith(signal?.reason)
    const timer = timeout === undefined ? undefined : setTimeout(() => rejectWith(refusal()), timeout)
    this.#waiting.push(waiting)
    signal?.addEventListener('abort', leave, { once: true })
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    }
  }

  /** Throws the refusal if the owner has used its share of places. */
  #makeRoom(owners: readonly Owner[]): void {
    const { waiting: waitingLimit, waitingOfOne, refusal } = this.#settings
    if (this.#waiting.filter(one => one.owners[0] === owners[0]).length >= waitingOfOne) throw refusal()
    if (this.#waiting.length < waitingLimit) return
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
    last.rejectWith(refusal())
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

  /** Forgets owners without tasks, because there may be many. */
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

/** Difference of the first unequal numbers. */
function difference(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((rank, index) => rank !== other[index])
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0)
}
