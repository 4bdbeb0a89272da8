import { unavailable } from '../errors/api-error.ts'

export type TurnLimits = {
  /** How many run at once, and how many of one owner. */
  slots: number
  slotsOfOne: number
  /** How many may wait, and how many of one owner. */
  waiting: number
  waitingOfOne: number
  /** What those hear who come when so many wait, or wait longer than they would. */
  refusal?: string
}

const tooMany = 'Too many large requests are waiting. Try again in a moment.'

/**
 * What ends the waiting of one: its caller went away, or so many milliseconds went by. `isBegun`: it is a part of what runs already,
 * and waits however many do.
 */
export type Stop = { signal?: AbortSignal | undefined; patience?: number | undefined; isBegun?: boolean }

type Waiting = { owner: number; begin: () => void }

/**
 * Lets so many pieces of work run at once. The others wait: next is the owner of whom the fewest run, among those the one who was
 * served longest ago. Who comes when too many wait is told to try again.
 */
export class Turns {
  readonly #limits: TurnLimits
  readonly #running = new Map<number, number>()
  /** Of those who run or wait: when they were served last. */
  readonly #served = new Map<number, number>()
  #waiting: Waiting[] = []
  #count = 0

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  async run<T>(owner: number, work: () => Promise<T>, stop?: Stop): Promise<T> {
    const end = await this.begin(owner, stop)
    try {
      return await work()
    } finally {
      end()
    }
  }

  /** Waits for a turn; answers how to end it. Who goes away or loses patience while waiting leaves its place. */
  async begin(owner: number, stop: Stop = {}): Promise<() => void> {
    stop.signal?.throwIfAborted()
    if (this.#mayRun(owner)) this.#start(owner)
    else await this.#wait(owner, stop)
    return () => this.#end(owner)
  }

  async #wait(owner: number, { signal, patience, isBegun = false }: Stop): Promise<void> {
    const { waiting: most, waitingOfOne, refusal = tooMany } = this.#limits
    const own = this.#waiting.filter(other => other.owner === owner)
    if (!isBegun && (this.#waiting.length >= most || own.length >= waitingOfOne)) throw unavailable(refusal)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { owner, begin: resolve }
    const leaveWith = (reason: unknown) => {
      this.#waiting = this.#waiting.filter(other => other !== waiting)
      reject(reason)
    }
    const leave = () => leaveWith(signal?.reason)
    const late = patience === undefined ? undefined : setTimeout(() => leaveWith(unavailable(refusal)), patience)
    this.#waiting.push(waiting)
    signal?.addEventListener('abort', leave, { once: true })
    try {
      await promise
    } finally {
      clearTimeout(late)
      signal?.removeEventListener('abort', leave)
    }
  }

  #mayRun(owner: number): boolean {
    const running = this.#running.values().reduce((sum, count) => sum + count, 0)
    return running < this.#limits.slots && this.#runningOf(owner) < this.#limits.slotsOfOne
  }

  #runningOf(owner: number): number {
    return this.#running.get(owner) ?? 0
  }

  #start(owner: number): void {
    this.#running.set(owner, this.#runningOf(owner) + 1)
    this.#served.set(owner, this.#count++)
  }

  #end(owner: number): void {
    const left = this.#runningOf(owner) - 1
    if (left > 0) this.#running.set(owner, left)
    else this.#running.delete(owner)
    const next = this.#next()
    if (next !== undefined) {
      this.#waiting = this.#waiting.filter(other => other !== next)
      this.#start(next.owner)
      next.begin()
    }
    if (this.#runningOf(owner) === 0 && !this.#waiting.some(other => other.owner === owner)) this.#served.delete(owner)
  }

  #next(): Waiting | undefined {
    const after = (one: Waiting, other: Waiting) =>
      this.#runningOf(one.owner) - this.#runningOf(other.owner) ||
      (this.#served.get(one.owner) ?? -1) - (this.#served.get(other.owner) ?? -1)
    return this.#waiting.filter(({ owner }) => this.#mayRun(owner)).toSorted(after)[0]
  }
}
