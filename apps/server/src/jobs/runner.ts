import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ApiError, conflict, unavailable } from '../errors/api-error.ts'
import type { Store } from '../store/database.ts'
import {
  claimJob,
  endJob,
  insertJob,
  jobAt,
  renewJobs,
  requestCancel,
  saveProgress,
  type HeldJob,
  type JobPlace,
  type JobProgress,
} from '../store/job.ts'

/** What work gets to know of its job. The signal's reason is what its caller is told. */
export type RunningJob = HeldJob & { signal: AbortSignal; report: (progress: JobProgress) => void }

type Wanted = JobPlace & {
  userId: string
  /** What a caller is told of a failure that has no words of its own. */
  failed: string
  /** Aborted when the caller goes away. */
  gone?: AbortSignal
}

type Local = HeldJob & {
  organisationId: number
  key: string
  kind: JobPlace['kind']
  state: 'announced' | 'waiting' | 'running'
  controller: AbortController
  turn: () => void
  progress: JobProgress
  isSaved: boolean
}

export type RunnerSettings = {
  /** How many run at the same time, and how many of one organisation; others of it wait until one ends. */
  slots: number
  slotsOfOrganisation: number
  /** Seconds that one may run. */
  seconds: number
}

const every = 1000
const waitingMost = { all: 16, organisation: 8 }
const lonePatience = { every: 200, most: 600_000 }
const atFirst: JobProgress = { state: 'waiting', done: 0, total: 0, message: '' }

/**
 * Runs the jobs of this server. Each is a row of the job table that is renewed while the server lives, so that any server can tell
 * how far it is and ask it to stop, and another one cleans up after this one when it dies.
 */
export class JobRunner {
  readonly #holder = randomUUID()
  readonly #local = new Map<number, Local>()
  readonly #store: Store
  readonly #log: Logger
  readonly #settings: RunnerSettings
  readonly #timer: NodeJS.Timeout
  #claiming: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(store: Store, log: Logger, settings: RunnerSettings) {
    this.#store = store
    this.#log = log
    this.#settings = settings
    this.#timer = setInterval(() => void this.#tick(), every)
    this.#timer.unref()
  }

  /** Throws where too many wait already: asked before a large body is read for a job that would wait for long. */
  admit(organisationId: number): void {
    const waiting = [...this.#local.values()].filter(({ state }) => state !== 'running')
    const own = waiting.filter(job => job.organisationId === organisationId)
    if (waiting.length < waitingMost.all && own.length < waitingMost.organisation) return
    throw unavailable('Too many imports are waiting. Try again in a moment.')
  }

  /** Runs the work when its turn comes. 409 where a job with the same key is under way. */
  async run<T>(wanted: Wanted, work: (job: RunningJob) => Promise<T>): Promise<T> {
    this.admit(wanted.organisationId)
    const { promise: turn, resolve } = Promise.withResolvers<void>()
    const local = await this.#announce(wanted, resolve)
    try {
      if (!(await insertJob(this.#store, { ...wanted, ...local, state: 'waiting' }))) {
        this.#local.delete(local.id)
        throw conflict('An import with this key is running already.')
      }
      local.state = 'waiting'
      this.#claim()
      return await this.#perform(local, wanted, async () => {
        await settled(turn, local.controller.signal)
        // It may have been aborted after its turn came.
        local.controller.signal.throwIfAborted()
        return work(runningOf(local))
      })
    } finally {
      this.#local.delete(local.id)
      this.#claim()
    }
  }

  /** Runs the work while no other server does, waiting for the one that does. What a server left that died is done again. */
  async alone<T>(wanted: Wanted, work: (job: RunningJob) => Promise<T>): Promise<T> {
    const end = performance.now() + lonePatience.most
    const local = await this.#announce(wanted, () => undefined)
    try {
      while (!(await insertJob(this.#store, { ...wanted, ...local, state: 'running' }, true))) {
        if (performance.now() > end) throw unavailable('Another server is at it and does not come to an end.')
        await wait(lonePatience.every)
      }
      local.state = 'running'
      return await this.#perform(local, wanted, () => work(runningOf(local)))
    } finally {
      this.#local.delete(local.id)
    }
  }

  /** How far a job is, wherever it runs; undefined where there is none. */
  async progress(place: JobPlace): Promise<JobProgress | undefined> {
    const row = await jobAt(this.#store.shared, place)
    if (row === undefined) return undefined
    // Where it runs, it is known to the moment.
    const here = this.#local.get(row.id)?.progress
    const known: JobProgress = here ?? (row.progress === '' ? atFirst : JSON.parse(row.progress))
    if (row.state === 'done' || row.state === 'failed' || row.state === 'cancelled')
      return { ...known, state: row.state }
    return known
  }

  /** Stops a job, wherever it runs. False where none is under way. */
  async cancel(place: JobPlace): Promise<boolean> {
    const id = await requestCancel(this.#store.shared, place)
    if (id !== undefined) this.#local.get(id)?.controller.abort(cancelled())
    return id !== undefined
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const { controller } of this.#local.values()) controller.abort(unavailable('The server is stopping.'))
    await this.#claiming
  }

  async #announce(wanted: Wanted, turn: () => void): Promise<Local> {
    const controller = new AbortController()
    const { organisationId, kind, key, gone } = wanted
    const local: Local = {
      id: await this.#store.ids.one(),
      holder: this.#holder,
      organisationId,
      kind,
      key,
      state: 'announced',
      controller,
      turn,
      progress: atFirst,
      isSaved: true,
    }
    const leave = () => controller.abort(cancelled())
    if (gone?.aborted) leave()
    gone?.addEventListener('abort', leave, { once: true })
    this.#local.set(local.id, local)
    return local
  }

  /** Does the work and tells the store how it ended. */
  async #perform<T>(local: Local, wanted: Wanted, work: () => Promise<T>): Promise<T> {
    const { controller } = local
    try {
      const result = await work()
      await this.#end(local, 'done', { ...local.progress, state: 'done' })
      return result
    } catch (error) {
      const state = isCancelled(controller.signal) ? 'cancelled' : 'failed'
      // Only what may leave the server: an unexpected error's own words stay in the log.
      const message = error instanceof ApiError ? error.message : wanted.failed
      const told = this.#end(local, state, { state, done: 0, total: 0, message })
      await told.catch((failure: unknown) =>
        this.#log.warn({ err: failure, jobId: local.id }, 'the end of a job was not stored'),
      )
      throw error
    }
  }

  async #end(local: Local, state: 'done' | 'failed' | 'cancelled', progress: JobProgress): Promise<void> {
    await saveProgress(this.#store.shared, local, progress)
    await endJob(this.#store.shared, this.#store, local, state)
  }

  /** Gives free places to those that wait; one turn after the other, so that no place is given twice. */
  #claim(): void {
    const turn = this.#claiming.then(() => this.#claimAll())
    this.#claiming = turn.catch((error: unknown) => this.#log.warn({ err: error }, 'no job could be claimed'))
  }

  async #claimAll(): Promise<void> {
    const { slots, slotsOfOrganisation, seconds } = this.#settings
    for (;;) {
      const jobs = [...this.#local.values()]
      const taken = jobs.filter(({ kind, state }) => kind === 'import' && state === 'running').length
      if (this.#isClosed || taken >= slots || !jobs.some(({ state }) => state === 'waiting')) return
      const row = await claimJob(this.#store, this.#holder, slotsOfOrganisation)
      if (row === undefined) return
      const local = this.#local.get(row.id)
      if (local === undefined) continue
      local.state = 'running'
      const late = setTimeout(() => local.controller.abort(tookTooLong(seconds)), seconds * 1000)
      late.unref()
      local.turn()
    }
  }

  async #tick(): Promise<void> {
    const jobs = [...this.#local.values()].filter(({ state }) => state !== 'announced')
    if (jobs.length === 0) return
    try {
      const held = await renewJobs(this.#store, this.#holder)
      for (const job of jobs) {
        const found = held.get(job.id)
        if (found === undefined) job.controller.abort(givenUp())
        else if (found.isCancelled) job.controller.abort(cancelled())
        if (job.isSaved || found === undefined) continue
        job.isSaved = true
        await saveProgress(this.#store.shared, job, job.progress)
      }
      this.#claim()
    } catch (error) {
      this.#log.warn({ err: error }, 'jobs could not be renewed')
    }
  }
}

function runningOf(local: Local): RunningJob {
  return {
    id: local.id,
    holder: local.holder,
    signal: local.controller.signal,
    report(progress) {
      local.progress = progress
      local.isSaved = false
    },
  }
}

/** Waits for the turn, or throws what the signal says. */
async function settled(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { promise: left, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  await Promise.race([turn, left])
}

function isCancelled(signal: AbortSignal): boolean {
  const reason: unknown = signal.reason
  return signal.aborted && reason instanceof ApiError && reason.code === 'cancelled'
}

function cancelled(): ApiError {
  return new ApiError(409, 'cancelled', 'The import was cancelled.')
}

function givenUp(): ApiError {
  return unavailable('This took too long and was given up. Try again.')
}

function tookTooLong(seconds: number): ApiError {
  const text = seconds % 60 === 0 && seconds > 60 ? `${seconds / 60} minutes` : `${seconds} seconds`
  return new ApiError(
    400,
    'too_slow',
    `The import took more than ${text} and was stopped. Nothing was kept. Split the file and import its parts.`,
  )
}
