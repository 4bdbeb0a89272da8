import { availableParallelism } from 'node:os'
import { MessageChannel } from 'node:worker_threads'
import type { Piscina } from 'piscina'
import { ApiError, unavailable } from '../errors/api-error.ts'
import { carried } from '../errors/carried.ts'
import type { StoreSettings } from '../store/database.ts'
import type { Stop } from '../store/turns.ts'
import type { ImportInput, ImportOutcome } from '../commands/manifest/import-messages.ts'
import { HomeThreads } from './home-threads.ts'
import { Lanes } from './lanes.ts'
import { newPool, type PoolOptions } from './pool.ts'
import type { ReadingProgress } from './progress-reporter.ts'
import type { ReadLibrary } from './read-library.ts'
import type { Tasks, WorkerSettings } from './tasks.ts'
import { threadCode } from './thread-code.ts'
import { withThriftyHeaps } from './thrifty-heaps.ts'

/** At least two, so that no organisation has all of them. */
const threads = Math.max(2, Math.min(4, availableParallelism() - 1))
/** Milliseconds that one task may take. */
const patience = 300_000
/** How much longer a thread works for a caller who went away: to end it is to lose what it remembers. */
const grace = 5000

/**
 * The threads for what would hold up requests: exports, validations, whole models. They start with the first task, have read-only
 * connections of their own, and are let go when idle.
 */
export class Workers {
  readonly #pool: Piscina
  /** For what is asked again and again: these remember. */
  readonly #checks: HomeThreads
  readonly #readers: Piscina
  readonly #lanes = new Lanes(threads)
  #isClosing = false

  /** `onLost` hears of threads that ended with an error when nobody waited for them. */
  constructor(
    store: StoreSettings,
    imports: { slots: number; megabytes: number },
    onLost: (error: unknown) => void = () => undefined,
  ) {
    const workerData: WorkerSettings = { store }
    const options = {
      filename: threadCode('worker'),
      // Connections to the store live between tasks: the thread must not sleep in Atomics.wait.
      atomics: 'disabled' as const,
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
      workerData,
    }
    // As many as all lanes let run: none waits here for another's.
    this.#pool = newPool({ ...options, minThreads: 0, maxThreads: this.#lanes.most, idleTimeout: 20_000 }, onLost)
    this.#checks = new HomeThreads(this.#lanes.checks, { ...options, idleTimeout: 600_000 }, onLost)
    const readers: PoolOptions = {
      filename: threadCode('reader'),
      minThreads: 0,
      // One more than imports have, so that the library need not wait for theirs.
      maxThreads: imports.slots + 1,
      // Let go soon: what a large file took is given back to the system.
      idleTimeout: 1000,
      atomics: 'disabled',
      // A small young generation: documents become garbage as fast as they are read.
      resourceLimits: { maxOldGenerationSizeMb: imports.megabytes, maxYoungGenerationSizeMb: 8 },
    }
    this.#readers = newPool(readers, onLost)
  }

  /** Runs a task when its organisation's turn comes. 503 where too many wait, or where it needs more than a task may have. */
  async run<K extends keyof Tasks>(
    name: K,
    input: Tasks[K]['input'],
    signal?: AbortSignal,
  ): Promise<Tasks[K]['output']> {
    return this.#runUntil(name, input, { signal })
  }

  /** The same for the answer to a change that is stored: it waits however many do, since to be refused would mean that nothing was changed. */
  async runAfterChange<K extends keyof Tasks>(
    name: K,
    input: Tasks[K]['input'],
    signal: AbortSignal,
  ): Promise<Tasks[K]['output']> {
    return this.#runUntil(name, input, { signal, isBegun: true })
  }

  /** The same for a validation: in the thread that knows most of the manifest. */
  async validate(input: Tasks['validate']['input'], signal?: AbortSignal): Promise<Tasks['validate']['output']> {
    const given = (end: AbortSignal) =>
      this.#checks.run(keyOf(input), pool =>
        pool.run(input, { name: 'validate', signal: either(signal && longAfter(signal), end) }),
      )
    return this.#inTurn('validate', input, { signal }, given)
  }

  /** Somebody looks at a manifest, and may soon want to know what is wrong with it: the thread for that starts beside the answer. */
  expectValidation(place: { organisationId: number; manifestId: number }): void {
    // Where it does not start, the validation will say so.
    this.#checks.prepare(keyOf(place), pool => pool.run(null, { name: 'ready' })).catch(() => undefined)
  }

  /** A manifest was deleted: what threads remember of it goes. */
  async forget(place: { organisationId: number; manifestId: number }): Promise<void> {
    try {
      await this.#checks.tellAll(pool => pool.run(place, { name: 'forget' }))
    } catch (error) {
      // Threads that end forget everything.
      if (!this.#isClosing) throw error
    }
  }

  /** Reads a file that a person sent. Aborting ends the thread. */
  async read({ bytes, port, ...given }: ImportInput, signal: AbortSignal): Promise<ImportOutcome> {
    // The bytes move, they are not copied; only a piece of something larger is (a Buffer's `slice` would not copy).
    const whole = bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
    const transferList = whole.buffer instanceof ArrayBuffer ? [port, whole.buffer] : [port]
    const options = { name: 'importFile', signal, transferList }
    return withThriftyHeaps(() => this.#readers.run({ ...given, bytes: whole, port }, options))
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
    const given = (end: AbortSignal) => this.#pool.run(input, { name, signal: either(stop.signal, end) })
    return this.#inTurn(name, input, stop, given)
  }

  async #inTurn<K extends keyof Tasks>(
    name: K,
    { organisationId }: Tasks[K]['input'],
    stop: Stop,
    given: (end: AbortSignal) => Promise<Tasks[K]['output']>,
  ): Promise<Tasks[K]['output']> {
    const work = async (): Promise<Tasks[K]['output']> => {
      const end = AbortSignal.timeout(patience)
      try {
        return await given(end)
      } catch (error) {
        stop.signal?.throwIfAborted()
        throw explained(error, end)
      }
    }
    return this.#lanes.run(name, organisationId, work, stop)
  }
}

function keyOf({ organisationId, manifestId }: { organisationId: number; manifestId: number }): string {
  return `${organisationId} ${manifestId}`
}

function either(signal: AbortSignal | undefined, end: AbortSignal): AbortSignal {
  return signal === undefined ? end : AbortSignal.any([signal, end])
}

/** Aborted some time after the other, for a thread that should not be lost for nothing. */
function longAfter(signal: AbortSignal): AbortSignal {
  const later = new AbortController()
  const wait = () => void setTimeout(() => later.abort(signal.reason), grace).unref()
  signal.addEventListener('abort', wait, { once: true })
  return later.signal
}

/** A task that took too much must not look like a fault of the server. */
function explained(error: unknown, end: AbortSignal): unknown {
  if (end.aborted) return unavailable('This took too long and was given up.', error)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return carried(error)
  return new ApiError(503, 'too_large', 'This takes more memory than one answer may have.', { detail: error })
}
