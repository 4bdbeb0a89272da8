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
  readonly owner: Owner
  readonly isBegun: boolean
  readonly begin: () => void
  readonly leaveWith: (reason: unknown) => void
}

/**
 * Lets so many pieces of work run at once. The others wait: next is the owner of whom the fewest run, among those the one who was
 * served longest ago. Where too many wait, an owner with several gives its last place to one with fewer; whoever has none is refused.
 */
export class FairQueue<Owner extends number | string> {
  readonly #settings: FairQueueSettings
  readonly #running = new Map<Owner, number>()
  /** Of those who run or wait: when they were served last. */
  readonly #served = new Map<Owner, number>()
  #waiting: Waiting<Owner>[] = []
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
  async begin(owner: Owner, stop: Stop = {}): Promise<() => void> {
    stop.signal?.throwIfAborted()
    if (this.#mayRun(owner)) this.#start(owner)
    else await this.#wait(owner, stop)
    return () => this.#end(owner)
  }

  async #wait(owner: Owner, { signal, patience, isBegun = false }: Stop): Promise<void> {
    const { refusal } = this.#settings
    if (!isBegun) this.#makeRoom(owner)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leaveWith = (reason: unknown) => {
      this.#waiting = this.#waiting.filter(other => other !== waiting)
      this.#forget(owner)
      reject(reason)
    }
    const waiting: Waiting<Owner> = { owner, isBegun, begin: resolve, leaveWith }
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
  #makeRoom(owner: Owner): void {
    const { waiting: most, waitingOfOne, refusal } = this.#settings
    const counts = new Map<Owner, number>()
    for (const other of this.#waiting) counts.set(other.owner, (counts.get(other.owner) ?? 0) + 1)
    const own = counts.get(owner) ?? 0
    if (own >= waitingOfOne) throw refusal()
    if (this.#waiting.length < most) return
    const [largest, count] = counts.entries().reduce((one, other) => (other[1] > one[1] ? other : one))
    const last = this.#waiting.findLast(other => other.owner === largest && !other.isBegun)
    if (last === undefined || count <= own + 1) throw refusal()
    last.leaveWith(refusal())
  }

  #mayRun(owner: Owner): boolean {
    const running = this.#running.values().reduce((sum, count) => sum + count, 0)
    return running < this.#settings.slots && this.#runningOf(owner) < this.#settings.slotsOfOne
  }

  #runningOf(owner: Owner): number {
    return this.#running.get(owner) ?? 0
  }

  #start(owner: Owner): void {
    this.#running.set(owner, this.#runningOf(owner) + 1)
    this.#served.set(owner, this.#count++)
  }

  #end(owner: Owner): void {
    const left = this.#runningOf(owner) - 1
    if (left > 0) this.#running.set(owner, left)
    else this.#running.delete(owner)
    const next = this.#next()
    if (next !== undefined) {
      this.#waiting = this.#waiting.filter(other => other !== next)
      this.#start(next.owner)
      next.begin()
    }
    this.#forget(owner)
  }

  /** Owners may be many: of those who have nothing here nothing is remembered. */
  #forget(owner: Owner): void {
    if (this.#runningOf(owner) === 0 && !this.#waiting.some(other => other.owner === owner)) this.#served.delete(owner)
  }

  #next(): Waiting<Owner> | undefined {
    const after = (one: Waiting<Owner>, other: Waiting<Owner>) =>
      this.#runningOf(one.owner) - this.#runningOf(other.owner) ||
      (this.#served.get(one.owner) ?? -1) - (this.#served.get(other.owner) ?? -1)
    return this.#waiting.filter(({ owner }) => this.#mayRun(owner)).toSorted(after)[0]
  }
}
