import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { firstError } from '@cadmus/model/validate'
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { packageOwner } from '../commands/package/package-owner.ts'
import { packageInput } from '../commands/package/build-settings.ts'
import { type BuildEnd, endBuild } from '../commands/package/request-build.ts'
import { ApiError, abandoned, unavailable } from '../errors/api-error.ts'
import {
  endJob,
  type HeldJob,
  renewJobs,
  requeueBuild,
  takeBuild,
  type WaitingBuild,
  waitingBuilds,
} from '../store/job.ts'
import type { Store } from '../store/store.ts'
import { organisationById } from '../store/organisation.ts'
import { packagesByIds, type PackageVersionRow, versionOfJob } from '../store/package.ts'
import type { Workers } from './workers.ts'

type Dependencies = { store: Store; workers: Pick<Workers, 'run'>; log: Logger }
type Running = HeldJob & { organisationId: number; controller: AbortController; done: Promise<void> }

/** Milliseconds between two lease renewals, and between two polls for builds queued or abandoned by other servers. */
const pollInterval = 1000
const maxPolled = 200

/**
 * Builds packages with limited concurrency. The queue is in the store: any server takes waiting builds, and restarts
 * those of a crashed server.
 */
export class BuildQueue {
  readonly #dependencies: Dependencies
  readonly #holder = randomUUID()
  readonly #running = new Map<number, Running>()
  #timers: NodeJS.Timeout[] = []
  #polling: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  start(): void {
    this.#timers = [setInterval(() => void this.#renew(), pollInterval), setInterval(() => this.poll(), pollInterval)]
    for (const timer of this.#timers) timer.unref()
    this.poll()
  }

  /** Starts waiting builds while there are free slots. */
  poll(): void {
    this.#polling = this.#polling.then(() => this.#startWaiting()).catch((error: unknown) => this.#report(error))
  }

  /** Returns running builds to the queue. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#timers.forEach(clearInterval)
    await this.#polling
    for (const { controller } of this.#running.values()) controller.abort(unavailable('The server is stopping.'))
    await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  async #startWaiting(): Promise<void> {
    const { store } = this.#dependencies
    if (this.#isClosed || this.#running.size >= limits.buildsAtOnce) return
    const waiting = await waitingBuilds(store, maxPolled)
    for (let next = this.#next(waiting); next !== undefined; next = this.#next(waiting)) {
      waiting.splice(waiting.indexOf(next), 1)
      const job = { id: next.id, holder: this.#holder }
      const attempts = await takeBuild(store, job)
      if (attempts !== undefined) this.#begin(job, next.organisation_id, attempts)
    }
  }

  /** Picks the oldest build of the organisation with the fewest running builds on this server. */
  #next(waiting: readonly WaitingBuild[]): WaitingBuild | undefined {
    if (this.#isClosed || this.#running.size >= limits.buildsAtOnce) return undefined
    const running = [...this.#running.values()]
    const count = (id: number) => running.filter(({ organisationId }) => organisationId === id).length
    return waiting.toSorted((one, other) => count(one.organisation_id) - count(other.organisation_id))[0]
  }

  #begin(job: HeldJob, organisationId: number, attempts: number): void {
    const controller = new AbortController()
    const running: Running = { ...job, organisationId, controller, done: Promise.resolve() }
    this.#running.set(job.id, running)
    running.done = this.#perform(running, attempts)
      .catch((error: unknown) => this.#report(error))
      .finally(() => {
        this.#running.delete(job.id)
        this.poll()
      })
  }

  async #perform(job: Running, attempts: number): Promise<void> {
    const { store } = this.#dependencies
    const row = await versionOfJob(store.of(job.organisationId), job.organisationId, job.id)
    if (row === undefined) return void (await endJob(store.shared, store, job, 'cancelled'))
    const end = attempts > limits.buildAttempts ? { reason: messages.packages.cutOff } : await this.#build(job, row)
    // Undefined: requeued, or taken over by another server.
    if (end !== undefined) await endBuild(store, job, row, end)
  }

  /** Undefined if the build did not end here. */
  async #build(job: Running, row: PackageVersionRow): Promise<BuildEnd | undefined> {
    const { store, workers, log } = this.#dependencies
    const { signal } = job.controller
    try {
      const [packageRow] = await packagesByIds(store.of(row.organisation_id), row.organisation_id, [row.package_id])
      const organisation = await organisationById(store.shared, row.organisation_id)
      if (packageRow === undefined || organisation === undefined) return { reason: messages.packages.buildFailed }
      const delivery = (await packageOwner(store, organisation.id)).delivery(packageRow.name)
      const input = packageInput({ name: packageRow.name, organisation: organisation.code, delivery }, row)
      const result = await workers.run('buildPackage', input, signal)
      if ('problems' in result) return { reason: firstError(result.problems)?.message ?? messages.packages.buildFailed }
      if ('reason' in result) return result
      return result.size > limits.upload ? { reason: messages.packages.tooLarge } : result
    } catch (error) {
      if (signal.aborted || isAway(error)) return void (await requeueBuild(store, job))
      if (error instanceof ApiError) return { reason: error.message }
      log.error({ err: error, jobId: job.id, organisationId: job.organisationId }, 'build failed')
      return { reason: messages.packages.buildFailed }
    }
  }

  /** Aborts builds that another server has taken over. */
  async #renew(): Promise<void> {
    const jobs = [...this.#running.values()]
    if (jobs.length === 0) return
    try {
      const ids = jobs.map(({ id }) => id)
      const renewed = await renewJobs(this.#dependencies.store, this.#holder, ids)
      for (const { id, controller } of jobs) if (!renewed.has(id)) controller.abort(abandoned())
    } catch (error) {
      this.#report(error)
    }
  }

  /** Store outages are logged by the store itself. */
  #report(error: unknown): void {
    if (!isAway(error)) this.#dependencies.log.error({ err: error }, 'build queue failed')
  }
}

function isAway(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'store_away'
}
