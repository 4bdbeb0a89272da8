import type { Piscina } from 'piscina'
import { newPool, type PoolOptions } from './thread-code.ts'

type Thread = { pool: Piscina; running: number; usedAt: number }

/** Maximum keys whose last thread is remembered. */
const maxKeys = 1000

/**
 * A pool with cache affinity: a task runs on the thread that last had its key if that is free, else on the free thread
 * idle longest. Callers limit concurrency to the number of threads.
 */
export class AffinityPool {
  readonly #threads: readonly Thread[]
  readonly #lastThreads = new Map<string, Thread>()
  #count = 0

  constructor(count: number, options: PoolOptions, onLost: (error: unknown) => void = () => undefined) {
    this.#threads = Array.from({ length: count }, () => ({
      pool: newPool({ ...options, minThreads: 0, maxThreads: 1 }, onLost),
      running: 0,
      usedAt: 0,
    }))
  }

  async run<T>(key: string, work: (pool: Piscina) => Promise<T>): Promise<T> {
    const thread = this.#assignThread(key)
    thread.running += 1
    try {
      return await work(thread.pool)
    } finally {
      thread.running -= 1
    }
  }

  /**
   * Starts the thread of the key's next task unless it runs already. Starting takes a second of processor time, so
   * doing it ahead shortens the wait. A task that arrives earlier is queued in the thread.
   */
  async prepare(key: string, start: (pool: Piscina) => Promise<void>): Promise<void> {
    const { pool } = this.#assignThread(key)
    if (pool.threads.length === 0) await start(pool)
  }

  /** Queues a task on every running thread. */
  async broadcast(work: (pool: Piscina) => Promise<void>): Promise<void> {
    await Promise.all(this.#threads.flatMap(({ pool }) => (pool.threads.length > 0 ? [work(pool)] : [])))
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ pool }) => pool.destroy()))
  }

  #assignThread(key: string): Thread {
    const thread = this.#threadFor(key)
    thread.usedAt = ++this.#count
    this.#lastThreads.delete(key)
    this.#lastThreads.set(key, thread)
    for (const oldest of this.#lastThreads.keys()) {
      if (this.#lastThreads.size <= maxKeys) break
      this.#lastThreads.delete(oldest)
    }
    return thread
  }

  #threadFor(key: string): Thread {
    const lastThread = this.#lastThreads.get(key)
    if (lastThread?.running === 0) return lastThread
    const [first, ...others] = this.#threads.toSorted((a, b) => a.running - b.running || a.usedAt - b.usedAt)
    if (!first) throw new RangeError(`The pool of ${others.length} threads is empty.`)
    return first
  }
}
