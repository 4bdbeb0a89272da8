import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { removePendingEntities } from '../commands/manifest/delete-manifest.ts'
import { ApiError, conflict, abandoned, unavailable } from '../errors/api-error.ts'
import type { Store } from '../store/store.ts'
import { removeImport } from '../store/import-run.ts'
import {
  beginJob,
  endJob,
  type HeldJob,
  insertJob,
  jobAt,
  renewJobs,
  requestCancel,
  saveProgress,
  type JobPlace,
  type JobProgress,
} from '../store/job.ts'
import {
  cancelled,
  isCancelled,
  type JobEnd,
  type LocalJob,
  nextJob,
  type RunnerSettings,
  type RunningJob,
  runningOf,
  waitForTurn,
  timedOut,
} from './local-job.ts'

type JobRequest = JobPlace & {
  userId: string
  /** The message for unexpected errors. */
  failed: string
  /** Aborted when the caller disconnects. */
  callerSignal?: AbortSignal
}

const tickInterval = 1000
const maxWaiting = { all: 16, organisation: 8 }
const initialProgress: JobProgress = { state: 'waiting', done: 0, total: 0, message: '' }
const exclusiveWait = { every: 200, timeout: 600_000 }

/**
 * Runs the jobs of this server. Each job is a row that is renewed while the server lives, so that any server can report
 * its progress or cancel it, and another server cleans up after a crash.
 */
export class JobRunner {
  readonly #holder = randomUUID()
  readonly #local = new Map<number, LocalJob>()
  /** Results not yet stored. Their jobs are not renewed, so another server takes over if storing keeps failing. */
  readonly #unstored = new Map<number, JobEnd>()
  readonly #store: Store
  readonly #log: Logger
  readonly #settings: RunnerSettings
  readonly #timer: NodeJS.Timeout
  #claiming: Promise<void> = Promise.resolve()
  #isTicking = false
  #isStoring = false
  #isClosed = false

  constructor(store: Store, log: Logger, settings: RunnerSettings) {
    this.#store = store
    this.#log = log
    this.#settings = settings
    this.#timer = setInterval(() => void this.#tick(), settings.tick ?? tickInterval)
    this.#timer.unref()
  }

  /** Throws 503 if too many jobs are waiting. Call it before reading a large body. */
  admit(organisationId: number): void {
    const waiting = [...this.#local.values()].filter(({ state }) => state !== 'running')
    const own = waiting.filter(job => job.organisationId === organisationId)
    if (waiting.length < maxWaiting.all && own.length < maxWaiting.organisation) return
    throw unavailable('Too many imports are waiting. Try again in a moment.')
  }

  /** Runs the work when a slot is free. Throws 409 if a job with the same key is active. */
  async run<T>(jobRequest: JobRequest, work: (job: RunningJob) => Promise<T>): Promise<T> {
    this.admit(jobRequest.organisationId)
    const { promise: turn, resolve } = Promise.withResolvers<void>()
    const local = await this.#announce(jobRequest, resolve)
    try {
      if (!(await insertJob(this.#store, { ...jobRequest, ...local, state: 'waiting' }))) {
        this.#local.delete(local.id)
        throw conflict('An import with this key is running already.')
      }
      local.state = 'waiting'
      this.#claim()
      return await this.#perform(local, jobRequest, async () => {
        await waitForTurn(turn, local.controller.signal)
        // The signal may abort after the slot was assigned.
        local.controller.signal.throwIfAborted()
        try {
          return await work(runningOf(local))
        } finally {
          // Storing the result may outlast the limit.
          clearTimeout(local.timeout)
        }
      })
    } finally {
      clearTimeout(local.timeout)
      this.#local.delete(local.id)
      this.#claim()
    }
  }

  /**
   * Runs the work exclusively among all servers, waiting for the current holder. Repeats the work of a crashed server.
   */
  async runExclusively<T>(jobRequest: JobRequest, work: (job: RunningJob) => Promise<T>): Promise<T> {
    const end = performance.now() + exclusiveWait.timeout
    const local = await this.#announce(jobRequest, () => undefined)
    try {
      while (!(await insertJob(this.#store, { ...jobRequest, ...local, state: 'running' }, true))) {
        if (performance.now() > end) throw unavailable('Another server has been running this job for too long.')
        await wait(exclusiveWait.every)
      }
      local.state = 'running'
      return await this.#perform(local, jobRequest, () => work(runningOf(local)))
    } finally {
      this.#local.delete(local.id)
    }
  }

  /** Returns the progress of a job on any server; undefined if there is none. */
  async progress(place: JobPlace): Promise<JobProgress | undefined> {
    const row = await jobAt(this.#store.shared, place)
    if (row === undefined) return undefined
    // A local job has more recent progress than its row.
    const localProgress = (this.#local.get(row.id) ?? this.#unstored.get(row.id))?.progress
    const progress: JobProgress = localProgress ?? (row.progress === '' ? initialProgress : JSON.parse(row.progress))
    if (row.state === 'done' || row.state === 'failed' || row.state === 'cancelled')
      return { ...progress, state: row.state }
    return progress
  }

  /** Cancels a job on any server. Returns false without an active job. */
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

  async #announce(jobRequest: JobRequest, turn: () => void): Promise<LocalJob> {
    const controller = new AbortController()
    const { organisationId, kind, key, callerSignal } = jobRequest
    const local: LocalJob = {
      id: await this.#store.ids.one(),
      holder: this.#holder,
      organisationId,
      kind,
      key,
      state: 'announced',
      controller,
      turn,
      progress: initialProgress,
      isSaved: true,
    }
    const cancel = () => controller.abort(cancelled())
    if (callerSignal?.aborted) cancel()
    callerSignal?.addEventListener('abort', cancel, { once: true })
    this.#local.set(local.id, local)
    return local
  }

  /** Runs the work and stores its result. */
  async #perform<T>(job: LocalJob, jobRequest: JobRequest, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      await this.#end({ job, state: 'done', progress: { ...job.progress, state: 'done' } })
      return result
    } catch (error) {
      const state = isCancelled(job.controller.signal) ? 'cancelled' : 'failed'
      // Unexpected errors are only logged; only public messages are returned.
      const message = error instanceof ApiError ? error.message : jobRequest.failed
      await this.#end({ job, state, progress: { state, done: 0, total: 0, message } })
      throw error
    }
  }

  /** Retries with every tick if storing fails; the caller gets the result of the work itself. */
  async #end(end: JobEnd): Promise<void> {
    try {
      await this.#finish(end)
    } catch (error) {
      this.#unstored.set(end.job.id, end)
      this.#log.warn({ err: error, jobId: end.job.id }, 'failed to store the result of a job')
    }
  }

  async #retryUnstored(): Promise<void> {
    if (this.#isStoring) return
    this.#isStoring = true
    for (const end of this.#unstored.values()) {
      const { id: jobId } = end.job
      try {
        await this.#finish(end)
        this.#unstored.delete(jobId)
      } catch (error) {
        this.#log.warn({ err: error, jobId }, 'failed again to store the result of a job')
      }
    }
    this.#isStoring = false
  }

  /**
   * Removes partial results before the job ends, because they are not searched later. Has no effect on a job that has
   * ended or was taken over.
   */
  async #finish({ job, state, progress }: JobEnd): Promise<void> {
    if (state !== 'done') await cleanUp(this.#store, job.organisationId, job)
    await saveProgress(this.#store.shared, job, progress)
    await endJob(this.#store.shared, this.#store, job, state)
  }

  /** Assigns free slots to waiting jobs, one run at a time, so that no slot is assigned twice. */
  #claim(): void {
    const turn = this.#claiming.then(() => this.#claimAll())
    this.#claiming = turn.catch((error: unknown) => this.#log.warn({ err: error }, 'failed to start waiting jobs'))
  }

  async #claimAll(): Promise<void> {
    const { seconds } = this.#settings
    for (let local = this.#next(); local !== undefined; local = this.#next()) {
      if (!(await beginJob(this.#store, local))) {
        local.state = 'announced'
        local.controller.abort(abandoned())
        continue
      }
      local.state = 'running'
      const { controller } = local
      local.timeout = setTimeout(() => controller.abort(timedOut(seconds)), seconds * 1000)
      local.timeout.unref()
      local.turn()
    }
  }

  #next(): LocalJob | undefined {
    return this.#isClosed ? undefined : nextJob([...this.#local.values()], this.#settings)
  }

  /** Not reentrant: with a slow store, concurrent ticks would only occupy more connections. */
  async #tick(): Promise<void> {
    if (this.#isTicking) return
    this.#isTicking = true
    try {
      await this.#renew()
      // Not awaited: removing partial results may outlast the leases of other jobs.
      void this.#retryUnstored()
    } catch (error) {
      this.#log.warn({ err: error }, 'failed to renew jobs')
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
      const heldJob = held.get(job.id)
      if (heldJob === undefined) job.controller.abort(abandoned())
      else if (heldJob.isCancelled) job.controller.abort(cancelled())
      if (job.isSaved || heldJob === undefined) continue
      job.isSaved = true
      await saveProgress(this.#store.shared, job, job.progress)
    }
    this.#claim()
  }
}

/** Removes partial results of a job. */
export async function cleanUp(
  store: Store,
  organisationId: number,
  job: HeldJob & Pick<JobPlace, 'kind'>,
): Promise<void> {
  switch (job.kind) {
    case 'import':
    case 'insert':
      return removeImport(store, organisationId, job)
    case 'delete':
      return removePendingEntities(store, organisationId, job, 'stopping')
    case 'library':
    case 'sweep':
    case 'build':
      // Written in one transaction, or repeated by the next job.
      return
  }
}
