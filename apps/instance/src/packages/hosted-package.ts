import { namespaceOf } from '@cadmus/model/api/namespace'
import type { Logger } from 'pino'
import { readPackages } from '@cadmus/formats/package/read'
import { HttpError } from '../http-error.ts'
import { type LoadedPackage, mayPass, type Opener, openPackage, reasonOf } from './open-package.ts'
import type { PackageFolder, StoredState } from './package-folder.ts'
import type { RunningPackage } from './running-package.ts'
import type { PackageStatus, WantedState } from './status.ts'
import type { Visits } from './visits.ts'

/** What packages live on. */
export type Ground = Opener & {
  readonly folder: PackageFolder
  readonly visits: Visits
  readonly log: Logger
  /** What answers, by namespace. */
  readonly running: Map<string, RunningPackage>
}

/** What is told of a package. */
export type PackageState = Pick<StoredState, 'id' | 'version' | 'contextPath' | 'stateOnStartup'> & {
  readonly name: string
  readonly status: PackageStatus
  /** Why it failed; '' otherwise. */
  readonly reason: string
  /** Null: it does not answer. While it is replaced, and after that failed, the one before does. */
  readonly runningVersion: string | null
}

/** A version on its way into the place of another. */
type Attempt = { readonly stored: StoredState; status: PackageStatus; reason: string }

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
  #status: PackageStatus = 'UNLOADED'
  #reason = ''
  #attempt: Attempt | null = null
  /** What runs is the version before the one that is stored. */
  #isBefore = false
  #retries = false
  #isLeaving = false
  #allowsLoss = false
  #last: Promise<void> = Promise.resolve()

  constructor(ground: Ground, name: string, stored: StoredState) {
    this.#ground = ground
    this.name = name
    this.#stored = stored
  }

  get state(): PackageState {
    const { id, version, contextPath, stateOnStartup } = this.#attempt?.stored ?? this.#stored
    const { status, reason } = this.#attempt ?? { status: this.#status, reason: this.#reason }
    const runningVersion = this.#running?.version ?? null
    return { name: this.name, id, version, contextPath, stateOnStartup, status, reason, runningVersion }
  }

  /** Whether it is being removed: what is uploaded meanwhile would go with it. */
  get isLeaving(): boolean {
    return this.#isLeaving
  }

  /** When all that was asked so far is done. */
  get settled(): Promise<void> {
    return this.#last
  }

  /** Becomes what it is to be. `keep`: and again after a restart. */
  become(wanted: WantedState, { keep = true, allowDataLoss = false } = {}): void {
    this.#inTurn(async () => {
      this.#attempt = null
      if (keep && this.#stored.wanted !== wanted) this.#store({ ...this.#stored, wanted })
      if (wanted === 'STARTED') await this.#start(allowDataLoss)
      if (wanted !== 'STARTED') await this.#stop()
      if (wanted === 'LOADED') this.#load()
      if (wanted === 'UNLOADED') this.#unload()
    })
  }

  /** Starts once more where its database was away, also where another version did not get into its place meanwhile. */
  retry(): void {
    const isFree = this.#attempt === null || this.#attempt.status === 'START_FAILED'
    if (this.#retries && this.#status === 'START_FAILED' && isFree) {
      this.#inTurn(() => this.#start(this.#allowsLoss))
    }
  }

  /** Another version takes its place; until that is ready, and where it never is, this one goes on. */
  replace(loaded: LoadedPackage, stored: StoredState, allowDataLoss: boolean): void {
    const attempt: Attempt = { stored, status: 'LOADING', reason: '' }
    this.#attempt = attempt
    this.#inTurn(async () => {
      this.#attempt = attempt
      try {
        await this.#replace(attempt, loaded, allowDataLoss)
        this.#attempt = null
      } catch (error) {
        if (this.#stored === stored) {
          // It is the package on the disk, and is started as such.
          this.#attempt = null
          return this.#failed(error, allowDataLoss)
        }
        const reason = reasonOf(error, this.#ground.log, this.name)
        Object.assign(attempt, { status: 'START_FAILED', reason })
        this.#ground.folder.drop(this.name, stored.file)
      }
    })
  }

  /** Ends it; its data stay, its files go. */
  remove(): Promise<void> {
    this.#isLeaving = true
    this.#inTurn(async () => {
      await this.#stop()
      this.#unload()
      this.#ground.folder.remove(this.name)
    })
    return this.#last
  }

  /** Ends it for a restart, after which it is as it was. */
  async close(): Promise<void> {
    this.#inTurn(() => this.#stop())
    await this.#last
  }

  async #replace(attempt: Attempt, loaded: LoadedPackage, allowDataLoss: boolean): Promise<void> {
    const { stored } = attempt
    if (stored.wanted === 'STARTED') {
      attempt.status = 'STARTING'
      return this.#open(loaded, allowDataLoss, () => this.#keep(stored, loaded))
    }
    this.#ground.folder.commit(this.name, stored)
    if (stored.wanted === 'UNLOADED') await this.#stop()
    this.#take(stored, stored.wanted === 'LOADED' ? loaded : null)
    this.#isBefore = this.#running !== null
  }

  /** From here on it is the package on the disk, whatever becomes of it. */
  #keep(stored: StoredState, loaded: LoadedPackage): void {
    if (this.#stored === stored) return
    this.#ground.folder.commit(this.name, stored)
    this.#take(stored, loaded)
    this.#isBefore = this.#running !== null
  }

  /** Answers in the place of what did. While its tables are changed callers wait at the door, and whoever is in is answered first. */
  async #open(loaded: LoadedPackage, allowDataLoss: boolean, keep: () => void): Promise<void> {
    const { running, visits } = this.#ground
    const namespace = namespaceOf(this.name)
    let open = () => {}
    try {
      const next = await openPackage(this.#ground, loaded, {
        allowDataLoss,
        beforeChanges: () => {
          open = visits.close(namespace)
          return visits.gone(drainTime, namespace)
        },
        beforeCommit: keep,
      })
      try {
        keep()
      } catch (error) {
        await next.engine.close()
        throw error
      }
      const before = this.#running
      this.#running = next
      this.#isBefore = false
      this.#is('STARTED')
      running.set(next.namespace, next)
      if (before !== null) void this.#retire(before)
    } finally {
      open()
    }
  }

  #take(stored: StoredState, loaded: LoadedPackage | null): void {
    this.#stored = stored
    this.#loaded = loaded
    this.#status = loaded === null ? 'UNLOADED' : 'LOADED'
    this.#reason = ''
  }

  #load(): boolean {
    if (this.#loaded !== null) {
      this.#is('LOADED')
      return true
    }
    this.#is('LOADING')
    try {
      const found = readPackages(this.#ground.folder.read(this.name, this.#stored.file))
      const own = found.find(({ name }) => name === this.name)
      if (own === undefined) throw new HttpError(500, 'Its file does not hold it any more.')
      this.#loaded = withoutFiles(own)
      this.#is('LOADED')
      return true
    } catch (error) {
      this.#is('LOAD_FAILED', reasonOf(error, this.#ground.log, this.name))
      return false
    }
  }

  async #start(allowDataLoss: boolean): Promise<void> {
    if (this.#running !== null && !this.#isBefore) return this.#is('STARTED')
    if (!this.#load() || this.#loaded === null) return
    this.#is('STARTING')
    try {
      await this.#open(this.#loaded, allowDataLoss, () => undefined)
    } catch (error) {
      this.#failed(error, allowDataLoss)
    }
  }

  #failed(error: unknown, allowDataLoss: boolean): void {
    this.#is('START_FAILED', reasonOf(error, this.#ground.log, this.name))
    this.#retries = mayPass(error)
    this.#allowsLoss = allowDataLoss
  }

  async #stop(): Promise<void> {
    const running = this.#running
    if (running !== null) {
      this.#is('STOPPING')
      this.#ground.running.delete(running.namespace)
      this.#running = null
      this.#isBefore = false
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
    await before.engine.close().catch((error: unknown) => void reasonOf(error, this.#ground.log, this.name))
  }

  #store(stored: StoredState): void {
    this.#ground.folder.commit(this.name, stored)
    this.#stored = stored
  }

  #is(status: PackageStatus, reason = ''): void {
    this.#status = status
    this.#reason = reason
    this.#retries = false
    this.#ground.log.info({ package: this.name, version: this.#stored.version, status }, 'a package changed its state')
  }

  #inTurn(work: () => Promise<void>): void {
    this.#last = this.#last.then(work).catch((error: unknown) => void reasonOf(error, this.#ground.log, this.name))
  }
}

/** The zip itself is not needed to run it, and may be a hundred megabytes. */
export function withoutFiles({ files: _files, ...loaded }: LoadedPackage & { files?: unknown }): LoadedPackage {
  return loaded
}
