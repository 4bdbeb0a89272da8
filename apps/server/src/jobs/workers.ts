import { availableParallelism } from 'node:os'
import { MessageChannel } from 'node:worker_threads'
import type { Piscina } from 'piscina'
import { ApiError, unavailable } from '../errors/api-error.ts'
import { decodeError } from '../errors/thread-errors.ts'
import type { StoreSettings } from '../store/database.ts'
import type { Stop } from '../store/organisation-queue.ts'
import type {
  CheckOutcome,
  ContentsOutcome,
  ImportInput,
  ImportOutcome,
  ReviewOutcome,
} from '../commands/manifest/import-messages.ts'
import { AffinityPool } from './affinity-pool.ts'
import { TaskQueues } from './task-queues.ts'
import { newPool, type PoolOptions, threadCode, withHeapLimit } from './thread-code.ts'
import type { ReadingProgress } from './progress-reporter.ts'
import type { ReadLibrary } from './read-library.ts'
import type { ReadSql } from './read-sql.ts'
import type { Tasks, WorkerSettings } from './tasks.ts'

/** At least two, so that one organisation cannot occupy all of them. */
const threads = Math.max(2, Math.min(4, availableParallelism() - 1))
/** Maximum milliseconds per task. */
const taskTimeout = 300_000
/** Milliseconds a thread continues after its caller has disconnected, because ending it would lose its cache. */
const graceTime = 5000

/**
 * Worker threads for work that would block requests: exports, validations, whole models. They start with the first
 * task, have read-only connections, and end when idle.
 */
export class Workers {
  readonly #pool: Piscina
  /** Caches models between repeated validations. */
  readonly #checks: AffinityPool
  readonly #readers: Piscina
  readonly #queues = new TaskQueues(threads)
  #isClosing = false

  /** `onLost` receives errors of threads without a waiting task. */
  constructor(
    store: StoreSettings,
    imports: { slots: number; megabytes: number },
    onLost: (error: unknown) => void = () => undefined,
  ) {
    const options = {
      filename: threadCode('worker'),
      // Store connections need the event loop between tasks, so the thread must not block in Atomics.wait.
      atomics: 'disabled' as const,
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
      workerData: { store, givesWay: true } satisfies WorkerSettings,
    }
    // One thread per slot of all queues, so no queue waits for another.
    this.#pool = newPool({ ...options, minThreads: 0, maxThreads: this.#queues.maxTasks, idleTimeout: 20_000 }, onLost)
    // A person waits for each of its answers, and its threads are fewer than the cores: a lower priority would only let a busy machine starve them.
    const checks = { ...options, workerData: { store, givesWay: false } satisfies WorkerSettings, idleTimeout: 600_000 }
    this.#checks = new AffinityPool(this.#queues.checks, checks, onLost)
    const readers: PoolOptions = {
      filename: threadCode('reader'),
      minThreads: 0,
      // More than the import slots, so that neither the library nor scripts wait for imports.
      maxThreads: imports.slots + 1 + this.#queues.scripts,
      // Idle threads end soon, to return the memory of large files to the system.
      idleTimeout: 1000,
      atomics: 'disabled',
      // A small young generation suits documents, which become garbage quickly.
      resourceLimits: { maxOldGenerationSizeMb: imports.megabytes, maxYoungGenerationSizeMb: 8 },
    }
    this.#readers = newPool(readers, onLost)
  }

  /**
   * Runs a task in its organisation's turn. Throws 503 if too many are waiting or the task exceeds its time or memory.
   */
  async run<K extends keyof Tasks>(
    name: K,
    input: Tasks[K]['input'],
    signal?: AbortSignal,
  ): Promise<Tasks[K]['output']> {
    return this.#runUntil(name, input, { signal })
  }

  /**
   * As `run`, for the answer to a stored change: it is never rejected for a full queue, because that would look as if
   * nothing had been stored.
   */
  async runAfterChange<K extends keyof Tasks>(
    name: K,
    input: Tasks[K]['input'],
    signal: AbortSignal,
  ): Promise<Tasks[K]['output']> {
    return this.#runUntil(name, input, { signal, isBegun: true })
  }

  /** Like `run`, for a whole model that is read again with each edit: prefers the thread with the manifest in its cache. */
  async check<K extends 'validate' | 'problems' | 'fixes' | 'entityContents' | 'scopeMatrix'>(
    name: K,
    input: Tasks[K]['input'],
    signal?: AbortSignal,
  ): Promise<Tasks[K]['output']> {
    const start = (end: AbortSignal) =>
      this.#checks.run(keyOf(input), pool =>
        pool.run(input, { name, signal: anySignal(signal && delayedSignal(signal), end) }),
      )
    return this.#runQueued(name, input, { signal }, start)
  }

  /** Starts the validation thread ahead, because an opened manifest is usually validated next. */
  expectValidation(place: { organisationId: number; manifestId: number }): void {
    // The validation itself reports a failed start.
    this.#checks.prepare(keyOf(place), pool => pool.run(null, { name: 'ready' })).catch(() => undefined)
  }

  /** Drops a deleted manifest from all caches. */
  async forget(place: { organisationId: number; manifestId: number }): Promise<void> {
    try {
      await this.#checks.broadcast(pool => pool.run(place, { name: 'forget' }))
    } catch (error) {
      // Ending threads drop their caches anyway.
      if (!this.#isClosing) throw error
    }
  }

  /** Reads an uploaded file. Aborting ends the thread. */
  async read(input: ImportInput, signal: AbortSignal): Promise<ImportOutcome> {
    return this.#readFile('importFile', input, signal)
  }

  async review(input: ImportInput, signal: AbortSignal): Promise<ReviewOutcome> {
    return this.#readFile('reviewFile', input, signal)
  }

  async readContents(input: ImportInput, signal: AbortSignal): Promise<ContentsOutcome> {
    return this.#readFile('contentsFile', input, signal)
  }

  async checkContents(input: ImportInput, signal: AbortSignal): Promise<CheckOutcome> {
    return this.#readFile('checkFile', input, signal)
  }

  async #readFile<T>(name: string, { bytes, port, ...start }: ImportInput, signal: AbortSignal): Promise<T> {
    // Transfers the bytes; copies only views on a larger buffer (a Buffer's `slice` would not copy).
    const whole = bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
    const transferList = whole.buffer instanceof ArrayBuffer ? [port, whole.buffer] : [port]
    const options = { name, signal, transferList }
    return withHeapLimit(() => this.#readers.run({ ...start, bytes: whole, port }, options))
  }

  /** Reads a pasted script, in its organisation's turn. */
  async readSql(input: Tasks['sql']['input'], signal: AbortSignal): Promise<ReadSql> {
    const start = (end: AbortSignal) => this.#readers.run(input, { name: 'sql', signal: anySignal(signal, end) })
    return this.#runQueued('sql', input, { signal }, start)
  }

  async readLibrary(folder: string, onProgress: (progress: ReadingProgress) => void): Promise<ReadLibrary> {
    const { port1, port2: port } = new MessageChannel()
    port1.on('message', onProgress)
    try {
      return await this.#readers.run({ folder, port }, { name: 'library', transferList: [port] })
    } finally {
      port1.close()
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await Promise.all([this.#pool.destroy(), this.#checks.close(), this.#readers.destroy()])
  }

  async #runUntil<K extends keyof Tasks>(name: K, input: Tasks[K]['input'], stop: Stop): Promise<Tasks[K]['output']> {
    const start = (end: AbortSignal) => this.#pool.run(input, { name, signal: anySignal(stop.signal, end) })
    return this.#runQueued(name, input, stop, start)
  }

  async #runQueued<K extends keyof Tasks>(
    name: K,
    { organisationId }: Tasks[K]['input'],
    stop: Stop,
    start: (end: AbortSignal) => Promise<Tasks[K]['output']>,
  ): Promise<Tasks[K]['output']> {
    const work = async (): Promise<Tasks[K]['output']> => {
      const end = AbortSignal.timeout(taskTimeout)
      try {
        return await start(end)
      } catch (error) {
        stop.signal?.throwIfAborted()
        throw describeError(error, end)
      }
    }
    return this.#queues.run(name, organisationId, work, stop)
  }
}

function keyOf({ organisationId, manifestId }: { organisationId: number; manifestId: number }): string {
  return `${organisationId} ${manifestId}`
}

function anySignal(signal: AbortSignal | undefined, end: AbortSignal): AbortSignal {
  return signal === undefined ? end : AbortSignal.any([signal, end])
}

/** Aborts some time after the given signal, to spare a thread whose task is about to finish. */
function delayedSignal(signal: AbortSignal): AbortSignal {
  const later = new AbortController()
  const wait = () => void setTimeout(() => later.abort(signal.reason), graceTime).unref()
  signal.addEventListener('abort', wait, { once: true })
  return later.signal
}

/** Reports exceeded limits as 503 instead of an internal error. */
function describeError(error: unknown, end: AbortSignal): unknown {
  if (end.aborted) return unavailable('This took too long and was cancelled.', error)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return decodeError(error)
  return new ApiError(503, 'too_large', 'This request exceeds the memory limit.', { detail: error })
}
