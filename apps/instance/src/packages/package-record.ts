import type { Services } from './services.ts'
import { failureOf, type LoadedPackage } from './open-package.ts'
import type { StoredState, StoredVersion } from './package-folder.ts'
import { type Attempt, packageState } from './package-state.ts'
import type { RunningPackage } from './running-package.ts'
import { type Failure, noFailure, type PackageState, type PackageStatus, type Progress, waiting } from './status.ts'

/** The state of a package: stored on disk, loaded in memory, and reported. */
export class PackageRecord {
  readonly name: string
  /** Null: not loaded. */
  loaded: LoadedPackage | null = null
  running: RunningPackage | null = null
  /** The replacing version, or the last one that failed. */
  attempt: Attempt | null = null
  readonly #services: Services
  #stored: StoredState
  #progress: Progress = { status: 'UNLOADED', ...noFailure }
  #isRetryable = false

  constructor(services: Services, name: string, stored: StoredState) {
    this.#services = services
    this.name = name
    this.#stored = stored
  }

  get stored(): StoredState {
    return this.#stored
  }

  get state(): PackageState {
    return packageState(this.name, this.attempt ?? { stored: this.#stored, progress: this.#progress }, this.running)
  }

  /** The version that runs, or is to run again. */
  get answeringVersion(): StoredVersion | null {
    const { before } = this.#stored
    return before ?? (this.running === null ? null : this.#stored)
  }

  /** Whether its start is to be retried and no replacement is in progress. */
  get isWaitingToStart(): boolean {
    const isFree = this.attempt === null || this.attempt.progress.status === 'START_FAILED'
    return this.#isRetryable && isFree
  }

  /** Stores a state on disk. Throws if it cannot be written, and changes nothing then. */
  store(stored: StoredState): void {
    if (JSON.stringify(stored) !== JSON.stringify(this.#stored)) this.#services.folder.commit(this.name, stored)
    this.#stored = stored
  }

  /** Sets a state that the disk has refused; it is written with the next one. */
  keepInMemory(stored: StoredState): void {
    this.#stored = stored
  }

  /** Stores a version as the current one. */
  adopt(stored: StoredState, loaded: LoadedPackage | null, status: PackageStatus): void {
    this.store(stored)
    this.loaded = loaded
    this.#progress = { status, ...noFailure }
    this.#isRetryable = false
  }

  setStatus(status: PackageStatus, failure = noFailure): void {
    this.#progress = { status, ...failure }
    this.#isRetryable = false
    this.#services.log.info(
      { package: this.name, version: this.#stored.version, status },
      'a package changed its state',
    )
  }

  /** Changes the reported details without the status. */
  report(more: Partial<Progress>): void {
    this.#progress = { ...this.#progress, ...more }
  }

  /** Sets a failed start; `isRetryable`: it is to be retried. */
  setFailed(error: unknown, isRetryable: boolean): void {
    this.setStatus('START_FAILED', this.warn(error))
    this.#isRetryable = isRetryable
  }

  /** Reports that tables are in use; callers are served until the next attempt. */
  reportWaiting(): void {
    if (this.attempt === null) this.report(waiting)
    else this.attempt.progress = waiting
  }

  warn(error: unknown): Failure {
    return failureOf(error, this.#services.log, this.name)
  }
}
