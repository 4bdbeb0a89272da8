import { namespaceOf } from '@cadmus/model/api/api'
import { previewTexts } from './preview.ts'
import { Backoff } from '../backoff.ts'
import { SignInError } from '../engine/errors.ts'
import type { Services } from './services.ts'
import {
  type LoadedPackage,
  isRetryable,
  openPackage,
  readPackage,
  reopenPackage,
  shouldReconnect,
} from './open-package.ts'
import { type AllowedLoss, noLoss, type StoredState } from './package-folder.ts'
import { PackageRecord } from './package-record.ts'
import type { Attempt } from './package-state.ts'
import type { RunningPackage } from './running-package.ts'
import { noFailure, type PackageState, type TargetState } from './status.ts'
import { TaskQueue } from './task-queue.ts'

/** Time limit for running requests before a package stops, in milliseconds. */
const stopTime = 30_000
/**
 * Time limit for requests on a replaced version before its engine closes, in milliseconds: long enough for several
 * waits for a slot and long statements.
 */
const replacedTime = 600_000
/** Time limit for running requests before tables are changed, in milliseconds; new requests wait as well. */
const drainTime = 10_000

/**
 * One package and its lifecycle. Tasks run in sequence and in the background, and a failure does not affect other
 * packages; the state reports the outcome.
 */
export class HostedPackage {
  readonly name: string
  readonly #services: Services
  readonly #record: PackageRecord
  /** The version that ran before the restart is still to be started, because its database was unavailable. */
  #isAwaitingPrevious = false
  /** A retry is queued. */
  #isRetrying = false
  #isRemoving = false
  /** The running preview of a waiting version. */
  #preview: Promise<void> = Promise.resolve()
  readonly #tasks: TaskQueue
  readonly #backoff: Backoff

  constructor(services: Services, name: string, stored: StoredState) {
    this.#services = services
    this.name = name
    this.#record = new PackageRecord(services, name, stored)
    this.#tasks = new TaskQueue(error => void this.#record.warn(error))
    this.#backoff = new Backoff(services.now)
  }

  get state(): PackageState {
    return this.#record.state
  }

  /** Whether it is being removed; uploads would be lost. */
  get isRemoving(): boolean {
    return this.#isRemoving
  }

  /** The title of the current database (`PackageDatabase`). */
  get database(): string {
    return (this.#record.stored.before ?? this.#record.stored).database
  }

  /** Resolves when all queued tasks are done. */
  get settled(): Promise<void> {
    return this.#tasks.last
  }

  /** Sets the target state, also for restarts. */
  setTarget(target: TargetState, loss: AllowedLoss): void {
    this.#schedule(async () => {
      this.#record.attempt = null
      const start = { ...loss, before: this.#record.stored.before }
      const end = { ...noLoss, before: null }
      try {
        this.#record.store({ ...this.#record.stored, requested: target, ...(target === 'STARTED' ? start : end) })
      } catch (error) {
        this.#record.report(this.#record.warn(error))
        return
      }
      if (target === 'STARTED') await this.#startPrevious()
      else await this.#stop()
      await this.#reach(target)
    })
  }

  /** Restores the state from before a restart, starting with the version that ran. */
  restore(): void {
    this.#schedule(async () => {
      await this.#startPrevious()
      await this.#reach(this.#record.stored.requested)
      // Not awaited, so that neither the start of the instance nor later tasks wait for it.
      this.#preview = this.#previewStart().catch((error: unknown) => void this.#record.warn(error))
    })
  }

  /** Retries a start that failed because the database was unavailable. */
  retry(): void {
    if (this.#isRetrying || !this.#isWaiting || !this.#backoff.isDue) return
    this.#isRetrying = true
    this.#tasks.add(async () => {
      this.#isRetrying = false
      if (this.#isAwaitingPrevious) await this.#startPrevious()
      // The target may have changed while the retry was queued.
      if (this.#record.isWaitingToStart) await this.#start()
      if (this.#isWaiting) this.#backoff.failed()
    })
  }

  /** Replaces the version. The current one keeps running until the new one is ready, or if it never is. */
  replace(loaded: LoadedPackage, stored: StoredState): void {
    const attempt: Attempt = { stored, progress: { status: 'LOADING', ...noFailure } }
    this.#record.attempt = attempt
    this.#schedule(async () => {
      this.#record.attempt = attempt
      try {
        await this.#replace(attempt, loaded)
        this.#record.attempt = null
      } catch (error) {
        const isOnDisk = this.#record.stored.file === stored.file
        if (isOnDisk || (stored.requested === 'STARTED' && isRetryable(error) && this.#storeWaiting(stored, loaded))) {
          // It is retried as the stored version.
          this.#record.attempt = null
          return this.#failed(error)
        }
        const reported = error instanceof SignInError ? new SignInError('upload it again', { cause: error }) : error
        attempt.progress = { status: 'START_FAILED', ...this.#record.warn(reported) }
        this.#services.folder.drop(this.name, stored.file)
      }
    })
  }

  /**
   * Removes the package and its files, but not its data. Throws if the files cannot be removed; the package is then
   * kept.
   */
  async remove(): Promise<void> {
    this.#isRemoving = true
    try {
      await this.#tasks.add(async () => {
        await this.#stop()
        this.#unload()
        this.#services.folder.remove(this.name)
      })
    } catch (error) {
      this.#isRemoving = false
      throw error
    }
  }

  /** Stops the package for a restart without changing its target state. */
  async close(): Promise<void> {
    await this.#tasks.add(() => this.#stop())
    await this.#preview
  }

  get #isWaiting(): boolean {
    return this.#isAwaitingPrevious || this.#record.isWaitingToStart
  }

  /** Queues a requested task; its failure is the first one for the backoff. */
  #schedule(work: () => Promise<void>): void {
    this.#tasks.add(async () => {
      await work()
      this.#backoff.reset()
      if (this.#isWaiting) this.#backoff.failed()
    })
  }

  async #replace(attempt: Attempt, loaded: LoadedPackage): Promise<void> {
    const { stored } = attempt
    if (stored.requested === 'STARTED') {
      attempt.progress = { status: 'STARTING', ...noFailure }
      return this.#open(loaded, stored)
    }
    if (stored.requested === 'LOADED') {
      const preview = await previewTexts(this.#services, loaded)
      this.#record.adopt({ ...stored, before: this.#record.answeringVersion }, loaded, 'LOADED')
      this.#record.report({ preview })
      return
    }
    this.#record.store(stored)
    await this.#stop()
    this.#record.adopt(stored, null, 'UNLOADED')
  }

  /**
   * Stores a version whose database is unavailable, next to the previous one. Returns false if the disk refuses it.
   */
  #storeWaiting(stored: StoredState, loaded: LoadedPackage): boolean {
    const { attempt } = this.#record
    this.#record.attempt = null
    const { isWaitingToStart, stored: current, answeringVersion } = this.#record
    // A version that never ran has no tables to return to.
    const before = answeringVersion ?? (isWaitingToStart && current.hasStarted ? current : null)
    try {
      this.#record.adopt({ ...stored, before }, loaded, 'STARTING')
    } catch (error) {
      this.#record.warn(error)
      this.#record.attempt = attempt
      return false
    }
    this.#isAwaitingPrevious ||= before !== null && this.#record.running === null
    return true
  }

  /** Repeats the preview of a version that waits while another version runs. */
  async #previewStart(): Promise<void> {
    const { loaded, running, stored } = this.#record
    if (loaded === null || running === null || stored.requested !== 'LOADED') return
    const preview = await previewTexts(this.#services, loaded)
    // The target may have changed during the preview.
    if (this.#record.stored === stored) this.#record.report({ preview })
  }

  async #reach(target: TargetState): Promise<void> {
    if (target === 'STARTED') await this.#start()
    if (target === 'LOADED') this.#load()
    if (target === 'UNLOADED') this.#unload()
  }

  /**
   * Opens the version in place of the running one. Callers wait at the gate while tables are changed, after running
   * requests have ended. The version is stored before the commit, with the previous one as fallback.
   */
  async #open(loaded: LoadedPackage, stored: StoredState): Promise<void> {
    const { running, requestGate } = this.#services
    const namespace = namespaceOf(this.name)
    let open = () => {}
    try {
      const next = await openPackage(this.#services, loaded, {
        allowDataLoss: stored.allowDataLoss,
        lossDigest: stored.lossDigest,
        beforeChanges: () => {
          open = requestGate.close(namespace)
          return requestGate.drained(drainTime, namespace)
        },
        betweenTries: () => {
          open()
          this.#record.reportWaiting()
        },
        beforeCommit: () =>
          this.#record.adopt({ ...stored, before: this.#record.answeringVersion }, loaded, 'STARTING'),
      })
      await this.#settle(next, stored, loaded)
      const before = this.#record.running
      this.#record.running = next
      this.#record.setStatus('STARTED')
      running.set(next.namespace, next)
      if (before !== null) void this.#retire(before, replacedTime)
    } finally {
      open()
    }
  }

  /** Clears data needed only for the start. */
  async #settle(next: RunningPackage, stored: StoredState, loaded: LoadedPackage): Promise<void> {
    const settled = { ...stored, ...noLoss, hasStarted: true, before: null }
    const isThere = this.#record.stored.file === stored.file
    try {
      this.#record.adopt(settled, loaded, 'STARTING')
    } catch (error) {
      if (!isThere) {
        await next.engine.close()
        throw error
      }
      this.#record.warn(error)
      this.#record.keepInMemory(settled)
    }
  }

  /** Starts the previous version on the existing tables, unless another version has changed them. */
  async #startPrevious(): Promise<void> {
    this.#isAwaitingPrevious = false
    const { before } = this.#record.stored
    if (before === null || this.#record.running !== null) return
    try {
      this.#record.running = await reopenPackage(this.#services, readPackage(this.#services.folder, this.name, before))
      this.#services.running.set(this.#record.running.namespace, this.#record.running)
    } catch (error) {
      this.#record.warn(error)
      this.#isAwaitingPrevious = isRetryable(error)
    }
  }

  #load(): void {
    try {
      if (this.#record.loaded === null) this.#record.setStatus('LOADING')
      this.#record.loaded ??= readPackage(this.#services.folder, this.name, this.#record.stored)
      this.#record.setStatus('LOADED')
    } catch (error) {
      this.#record.setStatus('LOAD_FAILED', this.#record.warn(error))
    }
  }

  async #start(): Promise<void> {
    const { running, stored } = this.#record
    if (running !== null && stored.before === null && !(await this.#shouldReconnect(running)))
      return this.#record.setStatus('STARTED')
    this.#load()
    if (this.#record.loaded === null) return
    this.#record.setStatus('STARTING')
    try {
      await this.#open(this.#record.loaded, this.#record.stored)
    } catch (error) {
      this.#failed(error)
    }
  }

  async #shouldReconnect(running: RunningPackage): Promise<boolean> {
    const { loaded } = this.#record
    if (loaded === null) return false
    // The start reports other errors.
    return shouldReconnect(this.#services, running, loaded).catch(() => true)
  }

  /** The permission to lose data applies to one successful start and its retries. */
  #failed(error: unknown): void {
    const isTriedAgain = isRetryable(error)
    this.#record.setFailed(error, isTriedAgain)
    if (!isTriedAgain) this.#record.store({ ...this.#record.stored, ...noLoss })
  }

  async #stop(): Promise<void> {
    const running = this.#record.running
    if (running !== null) {
      this.#record.setStatus('STOPPING')
      this.#services.running.delete(running.namespace)
      this.#record.running = null
      await this.#retire(running, stopTime)
    }
    if (this.#record.loaded !== null) this.#record.setStatus('LOADED')
  }

  #unload(): void {
    if (this.#record.loaded !== null) this.#record.setStatus('UNLOADING')
    this.#record.loaded = null
    this.#record.setStatus('UNLOADED')
  }

  /** Requests that started on the replaced version end on it. */
  async #retire(before: RunningPackage, timeout: number): Promise<void> {
    await this.#services.requestGate.drained(timeout, before.namespace)
    await before.engine.close().catch((error: unknown) => void this.#record.warn(error))
  }
}
