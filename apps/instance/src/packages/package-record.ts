import type { Ground } from './ground.ts'
import { failureOf, type LoadedPackage } from './open-package.ts'
import type { StoredState, StoredVersion } from './package-folder.ts'
import { type Attempt, packageState } from './package-state.ts'
import type { RunningPackage } from './running-package.ts'
import { type Failure, noFailure, type PackageState, type PackageStatus, type Told, waiting } from './status.ts'

/** Where a package stands: what of it counts on the disk, what of it is in memory, and what is told of how it fares. */
export class PackageStanding {
  readonly name: string
  /** Null: it is not loaded. */
  loaded: LoadedPackage | null = null
  /** What answers. */
  running: RunningPackage | null = null
  /** The version on its way into its place, or the last one that did not get there. */
  attempt: Attempt | null = null
  readonly #ground: Ground
  #stored: StoredState
  #told: Told = { status: 'UNLOADED', ...noFailure }
  #mayPass = false

  constructor(ground: Ground, name: string, stored: StoredState) {
    this.#ground = ground
    this.name = name
    this.#stored = stored
  }

  get stored(): StoredState {
    return this.#stored
  }

  get state(): PackageState {
    return packageState(this.name, this.attempt ?? { stored: this.#stored, told: this.#told }, this.running)
  }

  /** The version that answers, or is to come back to answer. */
  get answering(): StoredVersion | null {
    const { before } = this.#stored
    return before ?? (this.running === null ? null : this.#stored)
  }

  /** Whether it could not be started for what may pass, and no other version is on its way. */
  get waitsToStart(): boolean {
    const isFree = this.attempt === null || this.attempt.told.status === 'START_FAILED'
    return this.#mayPass && isFree
  }

  /** From here on that is so on the disk, too. Throws where it cannot be written, and then it is not. */
  store(stored: StoredState): void {
    if (JSON.stringify(stored) !== JSON.stringify(this.#stored)) this.#ground.folder.commit(this.name, stored)
    this.#stored = stored
  }

  /** The same where the disk has not taken it: it is written with what comes next. */
  remember(stored: StoredState): void {
    this.#stored = stored
  }

  /** From here on it is the package on the disk. */
  take(stored: StoredState, loaded: LoadedPackage | null, status: PackageStatus): void {
    this.store(stored)
    this.loaded = loaded
    this.#told = { status, ...noFailure }
    this.#mayPass = false
  }

  is(status: PackageStatus, failure = noFailure): void {
    this.#told = { status, ...failure }
    this.#mayPass = false
    this.#ground.log.info({ package: this.name, version: this.#stored.version, status }, 'a package changed its state')
  }

  /** Where it is stays as it was, and more is told of it. */
  tell(more: Partial<Told>): void {
    this.#told = { ...this.#told, ...more }
  }

  /** It could not be started; `mayPass`: it is to be tried again. */
  failed(error: unknown, mayPass: boolean): void {
    this.is('START_FAILED', this.warn(error))
    this.#mayPass = mayPass
  }

  /** Callers are answered in between. */
  waits(): void {
    if (this.attempt === null) this.tell(waiting)
    else this.attempt.told = waiting
  }

  warn(error: unknown): Failure {
    return failureOf(error, this.#ground.log, this.name)
  }
}
