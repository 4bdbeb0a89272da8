import { namespaceOf } from '@cadmus/model/api/namespace'
import { foreseenTexts } from './foreseen.ts'
import { Backoff } from './backoff.ts'
import type { Ground } from './ground.ts'
import { type LoadedPackage, mayPass, openPackage, readPackage, reopenPackage } from './open-package.ts'
import { type AllowedLoss, noLoss, type StoredState } from './package-folder.ts'
import { PackageStanding } from './package-standing.ts'
import type { Attempt } from './package-state.ts'
import type { RunningPackage } from './running-package.ts'
import { noFailure, type PackageState, type WantedState } from './status.ts'
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
  readonly #standing: PackageStanding
  /** What answered before the instance ended has not come back yet: its database was away. */
  #awaitsBefore = false
  /** It is to be tried once more, and that waits for its turn. */
  #isRetrying = false
  #isLeaving = false
  /** What a waiting version would say is being found out. */
  #foreseeing: Promise<void> = Promise.resolve()
  readonly #turns: Turns
  readonly #backoff: Backoff

  constructor(ground: Ground, name: string, stored: StoredState) {
    this.#ground = ground
    this.name = name
    this.#standing = new PackageStanding(ground, name, stored)
    this.#turns = new Turns(error => void this.#standing.warn(error))
    this.#backoff = new Backoff(ground.now)
  }

  get state(): PackageState {
    return this.#standing.state
  }

  /** Whether it is being removed: what is uploaded meanwhile would go with it. */
  get isLeaving(): boolean {
    return this.#isLeaving
  }

  /** Where the data are that it has so far, as `PackagePlace` is titled. */
  get database(): string {
    return (this.#standing.stored.before ?? this.#standing.stored).database
  }

  /** When all that was asked so far is done. */
  get settled(): Promise<void> {
    return this.#turns.last
  }

  /** Becomes what it is to be, and again after a restart. */
  become(wanted: WantedState, loss: AllowedLoss): void {
    this.#begin(async () => {
      this.#standing.attempt = null
      const start = { ...loss, before: this.#standing.stored.before }
      const end = { ...noLoss, before: null }
      try {
        this.#standing.store({ ...this.#standing.stored, wanted, ...(wanted === 'STARTED' ? start : end) })
      } catch (error) {
        this.#standing.tell(this.#standing.warn(error))
        return
      }
      if (wanted !== 'STARTED') await this.#stop()
      await this.#reach(wanted)
    })
  }

  /** Becomes what it was before the instance ended: what answered then comes first. */
  restore(): void {
    this.#begin(async () => {
      await this.#startBefore()
      await this.#reach(this.#standing.stored.wanted)
      // Neither the start of the instance waits for that, nor what is asked of the package next.
      this.#foreseeing = this.#foresee().catch((error: unknown) => void this.#standing.warn(error))
    })
  }

  /** Starts once more where its database was away, also where another version did not get into its place meanwhile. */
  retry(): void {
    if (this.#isRetrying || !this.#isWaiting || !this.#backoff.isDue) return
    this.#isRetrying = true
    this.#turns.take(async () => {
      this.#isRetrying = false
      if (this.#awaitsBefore) await this.#startBefore()
      // Somebody may have asked it to be something else before this had its turn.
      if (this.#standing.waitsToStart) await this.#start()
      if (this.#isWaiting) this.#backoff.failed()
    })
  }

  /** Another version takes its place; until that is ready, and where it never is, this one goes on. */
  replace(loaded: LoadedPackage, stored: StoredState): void {
    const attempt: Attempt = { stored, told: { status: 'LOADING', ...noFailure } }
    this.#standing.attempt = attempt
    this.#begin(async () => {
      this.#standing.attempt = attempt
      try {
        await this.#replace(attempt, loaded)
        this.#standing.attempt = null
      } catch (error) {
        const isOnDisk = this.#standing.stored.file === stored.file
        if (isOnDisk || (stored.wanted === 'STARTED' && mayPass(error) && this.#keep(stored, loaded))) {
          // It is started as such.
          this.#standing.attempt = null
          return this.#failed(error)
        }
        attempt.told = { status: 'START_FAILED', ...this.#standing.warn(error) }
        this.#ground.folder.drop(this.name, stored.file)
      }
    })
  }

  /** Ends it; its data stay, its files go. Throws where they cannot be removed: it is still there then. */
  async remove(): Promise<void> {
    this.#isLeaving = true
    try {
      await this.#turns.take(async () => {
        await this.#stop()
        this.#unload()
        this.#ground.folder.remove(this.name)
      })
    } catch (error) {
      this.#isLeaving = false
      throw error
    }
  }

  /** Ends it for a restart, after which it is as it was. */
  async close(): Promise<void> {
    await this.#turns.take(() => this.#stop())
    await this.#foreseeing
  }

  get #isWaiting(): boolean {
    return this.#awaitsBefore || this.#standing.waitsToStart
  }

  /** What somebody asked for: a failure of it is the first one. */
  #begin(work: () => Promise<void>): void {
    this.#turns.take(async () => {
      await work()
      this.#backoff.reset()
      if (this.#isWaiting) this.#backoff.failed()
    })
  }

  async #replace(attempt: Attempt, loaded: LoadedPackage): Promise<void> {
    const { stored } = attempt
    if (stored.wanted === 'STARTED') {
      attempt.told = { status: 'STARTING', ...noFailure }
      return this.#open(loaded, stored)
    }
    if (stored.wanted === 'LOADED') {
      const ahead = await foreseenTexts(this.#ground, loaded)
      this.#standing.take({ ...stored, before: this.#standing.answering }, loaded, 'LOADED')
      this.#standing.tell({ ahead })
      return
    }
    this.#standing.store(stored)
    await this.#stop()
    this.#standing.take(stored, null, 'UNLOADED')
  }

  /** A version whose database is away is the package on the disk from here on, beside the one before. False where the disk did not take it. */
  #keep(stored: StoredState, loaded: LoadedPackage): boolean {
    const { attempt } = this.#standing
    this.#standing.attempt = null
    const { waitsToStart, stored: current, answering } = this.#standing
    // Of one that never answered there is nothing to come back to.
    const before = answering ?? (waitsToStart && current.hasStarted ? current : null)
    try {
      this.#standing.take({ ...stored, before }, loaded, 'STARTING')
    } catch (error) {
      this.#standing.warn(error)
      this.#standing.attempt = attempt
      return false
    }
    this.#awaitsBefore ||= before !== null && this.#standing.running === null
    return true
  }

  /** Tells once more what was told when it came, of a version that waits beside the one that answers. */
  async #foresee(): Promise<void> {
    const { loaded, running, stored } = this.#standing
    if (loaded === null || running === null || stored.wanted !== 'LOADED') return
    const ahead = await foreseenTexts(this.#ground, loaded)
    // Somebody may have asked it to be something else meanwhile.
    if (this.#standing.stored === stored) this.#standing.tell({ ahead })
  }

  /** Goes from where it is to what it is to be. */
  async #reach(wanted: WantedState): Promise<void> {
    if (wanted === 'STARTED') await this.#start()
    if (wanted === 'LOADED') this.#load()
    if (wanted === 'UNLOADED') this.#unload()
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
          this.#standing.waits()
        },
        beforeCommit: () => this.#standing.take({ ...stored, before: this.#standing.answering }, loaded, 'STARTING'),
      })
      await this.#settle(next, stored, loaded)
      const before = this.#standing.running
      this.#standing.running = next
      this.#standing.is('STARTED')
      running.set(next.namespace, next)
      if (before !== null) void this.#retire(before)
    } finally {
      open()
    }
  }

  /** What it needed to get here it needs no more. */
  async #settle(next: RunningPackage, stored: StoredState, loaded: LoadedPackage): Promise<void> {
    const settled = { ...stored, ...noLoss, hasStarted: true, before: null }
    const isThere = this.#standing.stored.file === stored.file
    try {
      this.#standing.take(settled, loaded, 'STARTING')
    } catch (error) {
      if (!isThere) {
        await next.engine.close()
        throw error
      }
      this.#standing.warn(error)
      this.#standing.remember(settled)
    }
  }

  /** On its tables as they are: where they are another version's by now, that one answers. */
  async #startBefore(): Promise<void> {
    this.#awaitsBefore = false
    const { before } = this.#standing.stored
    if (before === null || this.#standing.running !== null) return
    try {
      this.#standing.running = await reopenPackage(this.#ground, readPackage(this.#ground.folder, this.name, before))
      this.#ground.running.set(this.#standing.running.namespace, this.#standing.running)
    } catch (error) {
      this.#standing.warn(error)
      this.#awaitsBefore = mayPass(error)
    }
  }

  #load(): void {
    try {
      if (this.#standing.loaded === null) this.#standing.is('LOADING')
      this.#standing.loaded ??= readPackage(this.#ground.folder, this.name, this.#standing.stored)
      this.#standing.is('LOADED')
    } catch (error) {
      this.#standing.is('LOAD_FAILED', this.#standing.warn(error))
    }
  }

  async #start(): Promise<void> {
    if (this.#standing.running !== null && this.#standing.stored.before === null) return this.#standing.is('STARTED')
    this.#load()
    if (this.#standing.loaded === null) return
    this.#standing.is('STARTING')
    try {
      await this.#open(this.#standing.loaded, this.#standing.stored)
    } catch (error) {
      this.#failed(error)
    }
  }

  /** What may be lost was said for a start that went through, or is tried until it does. */
  #failed(error: unknown): void {
    const isTriedAgain = mayPass(error)
    this.#standing.failed(error, isTriedAgain)
    if (!isTriedAgain) this.#standing.store({ ...this.#standing.stored, ...noLoss })
  }

  async #stop(): Promise<void> {
    const running = this.#standing.running
    if (running !== null) {
      this.#standing.is('STOPPING')
      this.#ground.running.delete(running.namespace)
      this.#standing.running = null
      await this.#retire(running)
    }
    if (this.#standing.loaded !== null) this.#standing.is('LOADED')
  }

  #unload(): void {
    if (this.#standing.loaded !== null) this.#standing.is('UNLOADING')
    this.#standing.loaded = null
    this.#standing.is('UNLOADED')
  }

  /** Whoever found it before it was taken away is answered by it. */
  async #retire(before: RunningPackage): Promise<void> {
    await this.#ground.visits.gone(patience)
    await before.engine.close().catch((error: unknown) => void this.#standing.warn(error))
  }
}
