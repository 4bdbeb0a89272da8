import { unavailable } from '../errors/api-error.ts'

export type TurnLimits = {
  /** How many run at once, and how many of one owner. */
  slots: number
  slotsOfOne: number
  /** How many may wait, and how many of one owner. */
  waiting: number
  waitingOfOne: number
}

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

  async run<T>(owner: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const end = await this.begin(owner, signal)
    try {
      return await work()
    } finally {
      end()
    }
  }

  /** Waits for a turn; answers how to end it. Who goes away while waiting leaves its place. */
  async begin(owner: number, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted()
    if (this.#mayRun(owner)) this.#start(owner)
    else await this.#wait(owner, signal)
    return () => this.#end(owner)
  }

  async #wait(owner: number, signal: AbortSignal | undefined): Promise<void> {
    const own = this.#waiting.filter(other => other.owner === owner)
    if (this.#waiting.length >= this.#limits.waiting || own.length >= this.#limits.waitingOfOne) {
      throw unavailable('Too many large requests are waiting. Try again in a moment.')
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { owner, begin: resolve }
    const leave = () => {
      this.#waiting = this.#waiting.filter(other => other !== waiting)
      reject(signal?.reason)
    }
    this.#waiting.push(waiting)
    signal?.addEventListener('abort', leave, { once: true })
    try {
      await promise
    } finally {
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
