import type { Piscina } from 'piscina'
import { newPool, type PoolOptions } from './pool.ts'

type Thread = { pool: Piscina; running: number; usedAt: number }

/** Of so many keys it is known where they were last. */
const mostKeys = 1000

/**
 * Threads that keep what they found out: a task goes to the one that had its key last if that one is free, else to the free one that
 * had nothing to do for longest. Whoever gives tasks takes care that no more run at once than there are threads.
 */
export class HomeThreads {
  readonly #threads: readonly Thread[]
  readonly #homes = new Map<string, Thread>()
  #count = 0

  constructor(count: number, options: PoolOptions, onLost: (error: unknown) => void = () => undefined) {
    this.#threads = Array.from({ length: count }, () => ({
      pool: newPool({ ...options, minThreads: 0, maxThreads: 1 }, onLost),
      running: 0,
      usedAt: 0,
    }))
  }

  async run<T>(key: string, work: (pool: Piscina) => Promise<T>): Promise<T> {
    const thread = this.#homeOf(key)
    thread.running += 1
    try {
      return await work(thread.pool)
    } finally {
      thread.running -= 1
    }
  }

  /**
   * Starts the thread that the key's next task will go to, where it is not there. A thread takes a second of a processor to start: who
   * sees a task coming saves that to the one who waits for it. The task may come before it is there, and then waits in its line.
   */
  async prepare(key: string, start: (pool: Piscina) => Promise<void>): Promise<void> {
    const { pool } = this.#homeOf(key)
    if (pool.threads.length === 0) await start(pool)
  }

  /** Gives a task to each thread that is there, for when it has done what it is working on. */
  async tellAll(work: (pool: Piscina) => Promise<void>): Promise<void> {
    await Promise.all(this.#threads.flatMap(({ pool }) => (pool.threads.length > 0 ? [work(pool)] : [])))
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ pool }) => pool.destroy()))
  }

  #homeOf(key: string): Thread {
    const thread = this.#threadFor(key)
    thread.usedAt = ++this.#count
    this.#homes.delete(key)
    this.#homes.set(key, thread)
    for (const oldest of this.#homes.keys()) {
      if (this.#homes.size <= mostKeys) break
      this.#homes.delete(oldest)
    }
    return thread
  }

  #threadFor(key: string): Thread {
    const home = this.#homes.get(key)
    if (home?.running === 0) return home
    const [first, ...others] = this.#threads.toSorted((a, b) => a.running - b.running || a.usedAt - b.usedAt)
    if (!first) throw new RangeError(`None of ${others.length} threads.`)
    return first
  }
}
