import { namespaceOf } from '@cadmus/model/api/namespace'
import { foreseenTexts } from './foreseen.ts'
import type { Ground } from './ground.ts'
import { type LoadedPackage, failureOf, mayPass, openPackage, readPackage, reopenPackage } from './open-package.ts'
import { type AllowedLoss, noLoss, type StoredState, type StoredVersion } from './package-folder.ts'
import { type Attempt, packageState } from './package-state.ts'
import type { RunningPackage } from './running-package.ts'
import { noFailure, type PackageState, type PackageStatus, type Told, waiting, type WantedState } from './status.ts'
import { Turns } from './turns.ts'

/** Answers under way may take so long before what serves them ends, in milliseconds. */
const patience = 30_000
/** So long those who are in are waited for before tables are changed: callers who come wait with them. */
const drainTime = 10_000

/**
 * One package and where it is. What is asked of it is done one after the other; nothing that fails here reaches another package. Whoever asks
 * is not kept waiting: the state tells how it went.
 */
export class HostedPackage {
  readonly name: string
  readonly #ground: Ground
  #stored: StoredState
  #loaded: LoadedPackage | null = null
  #running: RunningPackage | null = null
  #told: Told = { status: 'UNLOADED', ...noFailure }
  #attempt: Attempt | null = null
  #retries = false
  /** What answered before the instance ended has not come back yet: its database was away. */
  #awaitsBefore = false
  #isLeaving = false
  readonly #turns: Turns

  constructor(ground: Ground, name: string, stored: StoredState) {
    this.#ground = ground
    this.name = name
    this.#stored = stored
    this.#turns = new Turns(error => void this.#warn(error))
  }

  get state(): PackageState {
    return packageState(this.name, this.#attempt ?? { stored: this.#stored, told: this.#told }, this.#running)
  }

  /** Whether it is being removed: what is uploaded meanwhile would go with it. */
  get isLeaving(): boolean {
    return this.#isLeaving
  }

  /** Where the data are that it has so far, as `PackagePlace` is titled. */
  get database(): string {
    return (this.#stored.before ?? this.#stored).database
  }

  /** When all that was asked so far is done. */
  get settled(): Promise<void> {
    return this.#turns.last
  }

  /** Becomes what it is to be, and again after a restart. */
  become(wanted: WantedState, loss: AllowedLoss): void {
    this.#turns.take(async () => {
      this.#attempt = null
      const start = { ...loss, before: this.#stored.before }
      const end = { ...noLoss, before: null }
      try {
        this.#store({ ...this.#stored, wanted, ...(wanted === 'STARTED' ? start : end) })
      } catch (error) {
        this.#told = { ...this.#told, ...this.#warn(error) }
        return
      }
      if (wanted !== 'STARTED') await this.#stop()
      await this.#reach(wanted)
    })
  }

  /** Becomes what it was before the instance ended: what answered then comes first. */
  restore(): void {
    this.#turns.take(async () => {
      await this.#startBefore()
      await this.#reach(this.#stored.wanted)
    })
  }

  /** Starts once more where its database was away, also where another version did not get into its place meanwhile. */
  retry(): void {
    if (this.#awaitsBefore) {
      this.#awaitsBefore = false
      this.#turns.take(() => this.#startBefore())
    }
    const isFree = this.#attempt === null || this.#attempt.told.status === 'START_FAILED'
    if (this.#retries && this.#told.status === 'START_FAILED' && isFree) this.#turns.take(() => this.#start())
  }

  /** Another version takes its place; until that is ready, and where it never is, this one goes on. */
  replace(loaded: LoadedPackage, stored: StoredState): void {
    const attempt: Attempt = { stored, told: { status: 'LOADING', ...noFailure } }
    this.#attempt = attempt
    this.#turns.take(async () => {
      this.#attempt = attempt
      try {
        await this.#replace(attempt, loaded)
        this.#attempt = null
      } catch (error) {
        if (this.#stored.file === stored.file) {
          // It is the package on the disk, and is started as such.
          this.#attempt = null
          return this.#failed(error)
        }
        attempt.told = { status: 'START_FAILED', ...this.#warn(error) }
        this.#ground.folder.drop(this.name, stored.file)
      }
    })
  }

  /** Ends it; its data stay, its files go. */
  remove(): Promise<void> {
    this.#isLeaving = true
    this.#turns.take(async () => {
      await this.#stop()
      this.#unload()
      this.#ground.folder.remove(this.name)
    })
    return this.#turns.last
  }

  /** Ends it for a restart, after which it is as it was. */
  async close(): Promise<void> {
    this.#turns.take(() => this.#stop())
    await this.#turns.last
  }

  async #replace(attempt: Attempt, loaded: LoadedPackage): Promise<void> {
    const { stored } = attempt
    if (stored.wanted === 'STARTED') {
      attempt.told = { status: 'STARTING', ...noFailure }
      return this.#open(loaded, stored)
    }
    if (stored.wanted === 'LOADED') {
      const ahead = await foreseenTexts(this.#ground, loaded)
      this.#take({ ...stored, before: this.#answering }, loaded, 'LOADED')
      this.#told = { ...this.#told, ahead }
      return
    }
    this.#store(stored)
    await this.#stop()
    this.#take(stored, null, 'UNLOADED')
  }

  /** Goes from where it is to what it is to be. */
  async #reach(wanted: WantedState): Promise<void> {
    if (wanted === 'STARTED') await this.#start()
    if (wanted === 'LOADED') this.#load()
    if (wanted === 'UNLOADED') this.#unload()
  }

  /** The version that answers, or is to come back to answer. */
  get #answering(): StoredVersion | null {
    const { before } = this.#stored
    return before ?? (this.#running === null ? null : this.#stored)
  }

  /**
   * The version answers in the place of what did. While its tables are changed callers wait at the door, and whoever is in is answered first.
   * Before that is committed it is the package on the disk, whatever becomes of it, with what goes on should it fail.
   */
  async #open(loaded: LoadedPackage, stored: StoredState): Promise<void> {
    const { running, visits } = this.#ground
    const namespace = namespaceOf(this.name)
    let open = () => {}
    try {
      const next = await openPackage(this.#ground, loaded, {
        allowDataLoss: stored.allowDataLoss,
        lossDigest: stored.lossDigest,
        beforeChanges: () => {
          open = visits.close(namespace)
          return visits.gone(drainTime, namespace)
        },
        betweenTries: () => {
          open()
          if (this.#attempt === null) this.#told = waiting
          else this.#attempt.told = waiting
        },
        beforeCommit: () => this.#take({ ...stored, before: this.#answering }, loaded, 'STARTING'),
      })
      await this.#settle(next, stored, loaded)
      const before = this.#running
      this.#running = next
      this.#is('STARTED')
      running.set(next.namespace, next)
      if (before !== null) void this.#retire(before)
    } finally {
      open()
    }
  }

  /** What it needed to get here it needs no more. */
  async #settle(next: RunningPackage, stored: StoredState, loaded: LoadedPackage): Promise<void> {
    const settled = { ...stored, ...noLoss, before: null }
    const isThere = this.#stored.file === stored.file
    try {
      this.#take(settled, loaded, 'STARTING')
    } catch (error) {
      if (!isThere) {
        await next.engine.close()
        throw error
      }
      this.#warn(error)
      this.#stored = settled
    }
  }

  /** From here on it is the package on the disk. */
  #take(stored: StoredState, loaded: LoadedPackage | null, status: PackageStatus): void {
    this.#store(stored)
    this.#loaded = loaded
    this.#told = { status, ...noFailure }
  }

  /** On its tables as they are: where they are another version's by now, that one answers. */
  async #startBefore(): Promise<void> {
    const { before } = this.#stored
    if (before === null || this.#running !== null) return
    try {
      this.#running = await reopenPackage(this.#ground, readPackage(this.#ground.folder, this.name, before))
      this.#ground.running.set(this.#running.namespace, this.#running)
    } catch (error) {
      this.#warn(error)
      this.#awaitsBefore = mayPass(error)
    }
  }

  #load(): void {
    try {
      if (this.#loaded === null) this.#is('LOADING')
      this.#loaded ??= readPackage(this.#ground.folder, this.name, this.#stored)
      this.#is('LOADED')
    } catch (error) {
      this.#is('LOAD_FAILED', this.#warn(error))
    }
  }

  async #start(): Promise<void> {
    if (this.#running !== null && this.#stored.before === null) return this.#is('STARTED')
    this.#load()
    if (this.#loaded === null) return
    this.#is('STARTING')
    try {
      await this.#open(this.#loaded, this.#stored)
    } catch (error) {
      this.#failed(error)
    }
  }

  /** What may be lost was said for a start that went through, or is tried until it does. */
  #failed(error: unknown): void {
    this.#is('START_FAILED', this.#warn(error))
    this.#retries = mayPass(error)
    if (!this.#retries) this.#store({ ...this.#stored, ...noLoss })
  }

  async #stop(): Promise<void> {
    const running = this.#running
    if (running !== null) {
      this.#is('STOPPING')
      this.#ground.running.delete(running.namespace)
      this.#running = null
      await this.#retire(running)
    }
    if (this.#loaded !== null) this.#is('LOADED')
  }

  #unload(): void {
    if (this.#loaded !== null) this.#is('UNLOADING')
    this.#loaded = null
    this.#is('UNLOADED')
  }

  /** Whoever found it before it was taken away is answered by it. */
  async #retire(before: RunningPackage): Promise<void> {
    await this.#ground.visits.gone(patience)
    await before.engine.close().catch((error: unknown) => void this.#warn(error))
  }

  #store(stored: StoredState): void {
    if (JSON.stringify(stored) !== JSON.stringify(this.#stored)) this.#ground.folder.commit(this.name, stored)
    this.#stored = stored
  }

  #warn(error: unknown) {
    return failureOf(error, this.#ground.log, this.name)
  }

  #is(status: PackageStatus, failure = noFailure): void {
    this.#told = { status, ...failure }
    this.#retries = false
    this.#ground.log.info({ package: this.name, version: this.#stored.version, status }, 'a package changed its state')
  }
}
