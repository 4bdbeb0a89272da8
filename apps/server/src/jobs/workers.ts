import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { ApiError, unavailable } from '../errors/api-error.ts'
import { carried } from '../errors/carried.ts'
import type { StoreSettings } from '../store/database.ts'
import type { ImportInput, ImportOutcome } from '../commands/manifest/import-messages.ts'
import { Lanes } from './lanes.ts'
import type { ReadLibrary } from './read-library.ts'
import type { Tasks, WorkerSettings } from './tasks.ts'

/** At least two, so that no organisation has all of them. */
const threads = Math.max(2, Math.min(4, availableParallelism() - 1))
/** Milliseconds that one task may take. */
const patience = 300_000

/**
 * The threads for what would hold up requests: exports, validations, whole models. They start with the first task, have read-only
 * connections of their own, and are let go when idle.
 */
export class Workers {
  readonly #pool: Piscina
  readonly #readers: Piscina
  readonly #lanes = new Lanes(threads)

  constructor(store: StoreSettings, imports: { slots: number; megabytes: number }) {
    const workerData: WorkerSettings = { store }
    this.#pool = new Piscina({
      filename: new URL('worker.ts', import.meta.url).href,
      minThreads: 0,
      // As many as all lanes let run: none waits here for another's.
      maxThreads: this.#lanes.most,
      idleTimeout: 20_000,
      // Connections to the store live between tasks: the thread must not sleep in Atomics.wait.
      atomics: 'disabled',
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
      workerData,
    })
    this.#readers = new Piscina({
      filename: new URL('reader.ts', import.meta.url).href,
      minThreads: 0,
      // One more than imports have, so that the library need not wait for theirs.
      maxThreads: imports.slots + 1,
      // Let go soon: what a large file took is given back to the system.
      idleTimeout: 1000,
      atomics: 'disabled',
      // A small young generation: documents become garbage as fast as they are read.
      resourceLimits: { maxOldGenerationSizeMb: imports.megabytes, maxYoungGenerationSizeMb: 8 },
    })
  }

  /** Runs a task when its organisation's turn comes. 503 where too many wait, or where it needs more than a task may have. */
  async run<K extends keyof Tasks>(
    name: K,
    input: Tasks[K]['input'],
    signal?: AbortSignal,
  ): Promise<Tasks[K]['output']> {
    const work = async (): Promise<Tasks[K]['output']> => {
      const end = AbortSignal.timeout(patience)
      const stop = signal === undefined ? end : AbortSignal.any([signal, end])
      try {
        return await this.#pool.run(input, { name, signal: stop })
      } catch (error) {
        signal?.throwIfAborted()
        throw explained(error, end)
      }
    }
    return this.#lanes.run(name, input.organisationId, work, signal)
  }

  /** Reads a file that a person sent. Aborting ends the thread. */
  async read({ bytes, fileName, port }: ImportInput, signal: AbortSignal): Promise<ImportOutcome> {
    // The bytes move, they are not copied; only a piece of something larger is (a Buffer's `slice` would not copy).
    const whole = bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
    const transferList = whole.buffer instanceof ArrayBuffer ? [port, whole.buffer] : [port]
    return this.#readers.run({ bytes: whole, fileName, port }, { name: 'importFile', signal, transferList })
  }

  async readLibrary(folder: string): Promise<ReadLibrary> {
    return this.#readers.run(folder, { name: 'library' })
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.destroy(), this.#readers.destroy()])
  }
}

/** A task that took too much must not look like a fault of the server. */
function explained(error: unknown, end: AbortSignal): unknown {
  if (end.aborted) return unavailable('This took too long and was given up.', error)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return carried(error)
  return new ApiError(503, 'too_large', 'This takes more memory than one answer may have.', { detail: error })
}
