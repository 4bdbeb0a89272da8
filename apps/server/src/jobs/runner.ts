import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ApiError, conflict, givenUp, unavailable } from '../errors/api-error.ts'
import type { Store } from '../store/database.ts'
import {
  beginJob,
  endJob,
  insertJob,
  jobAt,
  renewJobs,
  requestCancel,
  saveProgress,
  type JobPlace,
  type JobProgress,
} from '../store/job.ts'
import { cleanUp } from './clean-up.ts'
import {
  cancelled,
  isCancelled,
  type JobEnd,
  type LocalJob,
  nextJob,
  type RunnerSettings,
  type RunningJob,
  runningOf,
  settled,
  tookTooLong,
} from './local-job.ts'

type Wanted = JobPlace & {
  userId: string
  /** What a caller is told of a failure that has no words of its own. */
  failed: string
  /** Aborted when the caller goes away. */
  gone?: AbortSignal
}

const every = 1000
const waitingMost = { all: 16, organisation: 8 }
const atFirst: JobProgress = { state: 'waiting', done: 0, total: 0, message: '' }
const lonePatience = { every: 200, most: 600_000 }

/**
 * Runs the jobs of this server. Each is a row of the job table that is renewed while the server lives, so that any server can tell
 * how far it is and ask it to stop, and another one cleans up after this one when it dies.
 */
export class JobRunner {
  readonly #holder = randomUUID()
  readonly #local = new Map<number, LocalJob>()
  /** Ends that the store did not take yet. Their jobs are not renewed: where this server does not succeed, another takes them. */
  readonly #unstored = new Map<number, JobEnd>()
  readonly #store: Store
  readonly #log: Logger
  readonly #settings: RunnerSettings
  readonly #timer: NodeJS.Timeout
  #claiming: Promise<void> = Promise.resolve()
  #isTicking = false
  #isTelling = false
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
      clearTimeout(local.late)
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
    const here = (this.#local.get(row.id) ?? this.#unstored.get(row.id))?.progress
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

  async #announce(wanted: Wanted, turn: () => void): Promise<LocalJob> {
    const controller = new AbortController()
    const { organisationId, kind, key, gone } = wanted
    const local: LocalJob = {
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
  async #perform<T>(job: LocalJob, wanted: Wanted, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      await this.#end({ job, state: 'done', progress: { ...job.progress, state: 'done' } })
      return result
    } catch (error) {
      const state = isCancelled(job.controller.signal) ? 'cancelled' : 'failed'
      // Only what may leave the server: an unexpected error's own words stay in the log.
      const message = error instanceof ApiError ? error.message : wanted.failed
      await this.#end({ job, state, progress: { state, done: 0, total: 0, message } })
      throw error
    }
  }

  /** What the store does not take now is told to it again with every tick: whoever asked hears of the work itself. */
  async #end(end: JobEnd): Promise<void> {
    try {
      await this.#finish(end)
    } catch (error) {
      this.#unstored.set(end.job.id, end)
      this.#log.warn({ err: error, jobId: end.job.id }, 'the end of a job was not stored')
    }
  }

  async #tellAgain(): Promise<void> {
    if (this.#isTelling) return
    this.#isTelling = true
    for (const end of this.#unstored.values()) {
      const { id: jobId } = end.job
      try {
        await this.#finish(end)
        this.#unstored.delete(jobId)
      } catch (error) {
        this.#log.warn({ err: error, jobId }, 'the end of a job is not stored yet')
      }
    }
    this.#isTelling = false
  }

  /**
   * Nobody looks for what a job left once it is over, and the work's own removal may have failed: it is done here first. Of a job that
   * another took or that is over nothing happens.
   */
  async #finish({ job, state, progress }: JobEnd): Promise<void> {
    if (state !== 'done') await cleanUp(this.#store, job.organisationId, job)
    await saveProgress(this.#store.shared, job, progress)
    await endJob(this.#store.shared, this.#store, job, state)
  }

  /** Gives free places to those that wait; one turn after the other, so that no place is given twice. */
  #claim(): void {
    const turn = this.#claiming.then(() => this.#claimAll())
    this.#claiming = turn.catch((error: unknown) => this.#log.warn({ err: error }, 'no job could be claimed'))
  }

  async #claimAll(): Promise<void> {
    const { seconds } = this.#settings
    for (let local = this.#next(); local !== undefined; local = this.#next()) {
      if (!(await beginJob(this.#store, local))) {
        local.state = 'announced'
        local.controller.abort(givenUp())
        continue
      }
      local.state = 'running'
      const { controller } = local
      local.late = setTimeout(() => controller.abort(tookTooLong(seconds)), seconds * 1000)
      local.late.unref()
      local.turn()
    }
  }

  #next(): LocalJob | undefined {
    return this.#isClosed ? undefined : nextJob([...this.#local.values()], this.#settings)
  }

  /** One at a time: while the store keeps one waiting, more of them would only wait with it, each with a connection. */
  async #tick(): Promise<void> {
    if (this.#isTicking) return
    this.#isTicking = true
    try {
      await this.#renew()
      // Not waited for: removing what a job left may take longer than others' leases last.
      void this.#tellAgain()
    } catch (error) {
      this.#log.warn({ err: error }, 'jobs could not be renewed')
    } finally {
      this.#isTicking = false
    }
  }

  async #renew(): Promise<void> {
    const jobs = [...this.#local.values()].filter(({ id, state }) => state !== 'announced' && !this.#unstored.has(id))
    if (jobs.length === 0) return
    const held = await renewJobs(
      this.#store,
      this.#holder,
      jobs.map(({ id }) => id),
    )
    for (const job of jobs) {
      const found = held.get(job.id)
      if (found === undefined) job.controller.abort(givenUp())
      else if (found.isCancelled) job.controller.abort(cancelled())
      if (job.isSaved || found === undefined) continue
      job.isSaved = true
      await saveProgress(this.#store.shared, job, job.progress)
    }
    this.#claim()
  }
}
