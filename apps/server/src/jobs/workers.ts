import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import type { StoreSettings } from '../store/database.ts'
import type { Tasks, WorkerSettings } from './tasks.ts'

const threads = Math.max(1, Math.min(4, availableParallelism() - 1))

/**
 * The threads for what would hold up requests: exports, validations, whole models. They start with the first task, have read-only
 * connections of their own, and are let go when idle.
 */
export class Workers {
  #pool: Piscina

  constructor(store: StoreSettings) {
    const workerData: WorkerSettings = { store }
    this.#pool = new Piscina({
      filename: new URL('worker.ts', import.meta.url).href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: 20_000,
      // Connections to the store live between tasks: the thread must not sleep in Atomics.wait.
      atomics: 'disabled',
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
      workerData,
    })
  }

  async run<K extends keyof Tasks>(
    name: K,
    input: Tasks[K]['input'],
    signal?: AbortSignal,
  ): Promise<Tasks[K]['output']> {
    return this.#pool.run(input, signal === undefined ? { name } : { name, signal })
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }
}
