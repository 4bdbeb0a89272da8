import { namespaceOf } from '@cadmus/model/api/api'
import { Backoff } from '../backoff.ts'
import { SignInError } from '../engine/errors.ts'
import {
  type Effect,
  type Failure,
  type HostedPackage,
  isBusy,
  type PackageEvent,
  type PackageState,
  reportOf,
  type Request,
  statusOf,
  step,
  storedOf,
  storedPackage,
} from './lifecycle.ts'
import {
  failureOf,
  isRetryable,
  type LoadedPackage,
  openPackage,
  type Opener,
  previewOfStart,
  readPackage,
  reopenPackage,
  type RunningPackage,
  shouldReconnect,
} from './open-package.ts'
import type { AllowedLoss, PackageFolder, StoredState, TargetState, Version } from './package-folder.ts'
import type { RequestGate } from './request-gate.ts'

/** The services that packages use. */
export type Services = Opener & {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly folder: PackageFolder
  readonly requestGate: RequestGate
  /** Running packages by namespace. */
  readonly running: Map<string, RunningPackage>
}

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
 * Runs the life cycle of one package: executes the effects of `step` and stores its states. A failure does not affect
 * other packages; the state reports it.
 */
export class PackageRunner {
  readonly name: string
  readonly #services: Services
  readonly #backoff: Backoff
  #state: HostedPackage
  /** The stored state, as JSON. */
  #onDisk: string
  /** Models in memory, by file. */
  readonly #loaded = new Map<string, LoadedPackage>()
  #running: RunningPackage | null = null
  /** Opened, but not answering yet. */
  #opened: RunningPackage | null = null
  #drained: Promise<void> = Promise.resolve()
  #openGate = () => {}
  /** The running preview, which nothing waits for except `close`. */
  #preview: Promise<void> = Promise.resolve()
  #changed = Promise.withResolvers<void>()
  /** The last failure. */
  #error: unknown

  constructor(services: Services, name: string, stored: StoredState) {
    this.#services = services
    this.name = name
    this.#backoff = new Backoff(services.now)
    this.#state = storedPackage(stored)
    this.#onDisk = JSON.stringify(stored)
    this.#request({ type: 'restore' })
  }

  get state(): PackageState {
    return { name: this.name, ...reportOf(this.#state, this.#running?.warnings ?? []) }
  }

  get isRemoving(): boolean {
    return this.#state.removing
  }

  /** The title of the current database (`PackageDatabase`). */
  get database(): string {
    const stored = storedOf(this.#state)
    return (stored.before ?? stored).database
  }

  /** Resolves when no request is pending. */
  get settled(): Promise<void> {
    return this.#until(state => !isBusy(state) && state.queue.length === 0)
  }

  setTarget(requested: TargetState, loss: AllowedLoss): void {
    this.#request({ type: 'set', requested, loss })
  }

  /** Replaces the version. The current one keeps running until the new one is ready, or if it never is. */
  replace(loaded: LoadedPackage, stored: Version): void {
    this.#loaded.set(stored.file, loaded)
    this.#request({ type: 'upload', stored })
  }

  /** Retries a start that failed because the database was unavailable. */
  retry(): void {
    if (this.#backoff.isDue) this.#send({ type: 'retryDue' })
  }

  /**
   * Removes the package and its files, but not its data. Throws if the files cannot be removed; the package is then
   * kept.
   */
  async remove(): Promise<void> {
    this.#request({ type: 'remove' })
    await this.#until(({ removing, target }) => !removing || target.state === 'closed')
    if (this.#state.target.state !== 'closed') throw this.#error
  }

  /** Stops the package for a restart without changing its target state. */
  async close(): Promise<void> {
    this.#request({ type: 'close' })
    await this.#until(({ target }) => target.state === 'closed')
    await this.#preview
  }

  async #until(isReached: (state: HostedPackage) => boolean): Promise<void> {
    while (!isReached(this.#state)) await this.#changed.promise
  }

  #request(request: Request): void {
    this.#send({ type: 'requested', request })
  }

  /** A state takes effect only after it is stored. Throws if the state of a commit cannot be stored. */
  #send(event: PackageEvent): void {
    const before = this.#state
    let [state, effects] = step(before, event)
    if (state === before && effects.length === 0) return
    try {
      this.#store(state)
    } catch (error) {
      if (event.type === 'committing') throw error
      ;[state, effects] = step(before, { type: 'refused', event, error: this.#failure(error) })
    }
    this.#state = state
    this.#logStatus(before)
    this.#forget()
    for (const effect of effects) this.#execute(effect)
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  #store(state: HostedPackage): void {
    if (state.target.state === 'closed' && state.removing) return
    const stored = storedOf(state)
    const json = JSON.stringify(stored)
    if (json === this.#onDisk) return
    this.#services.folder.commit(this.name, stored)
    this.#onDisk = json
  }

  #logStatus({ target: before }: HostedPackage): void {
    const { target } = this.#state
    const status = statusOf(target)
    const { version } = target.stored
    if (status === statusOf(before) && version === before.stored.version) return
    this.#services.log.info({ package: this.name, version, status }, 'a package changed its state')
  }

  /** Drops models that are no longer needed, because they are large. */
  #forget(): void {
    const { target, former, queue } = this.#state
    const needed = [target, former].map(one => (one === null || one.state === 'unloaded' ? '' : one.stored.file))
    const queued = queue.map(request => (request.type === 'upload' ? request.stored.file : ''))
    const files = new Set([...needed, ...queued])
    for (const file of this.#loaded.keys()) if (!files.has(file)) this.#loaded.delete(file)
  }

  #execute(effect: Effect): void {
    const { requestGate, running } = this.#services
    const namespace = namespaceOf(this.name)
    if (typeof effect !== 'string') {
      if (effect.type === 'drop') this.#drop(effect.file)
      else this.#preview = this.#perform(() => this.#previewOf(effect.file))
      return
    }
    switch (effect) {
      case 'next':
        return void this.#perform(async () => ({ type: 'next' }))
      case 'resetRetries':
        return this.#backoff.reset()
      case 'retryLater':
        return this.#backoff.failed()
      case 'drain':
        this.#openGate = requestGate.close(namespace)
        this.#drained = requestGate.drained(drainTime, namespace).then(() => this.#send({ type: 'drained' }))
        return
      case 'openGate':
        return this.#openGate()
      case 'swap': {
        const replaced = this.#running
        this.#running = this.#opened
        this.#opened = null
        if (this.#running !== null) running.set(namespace, this.#running)
        if (replaced !== null) void this.#retire(replaced, replacedTime)
        return
      }
      case 'discard':
        if (this.#opened !== null) void this.#retire(this.#opened, 0)
        this.#opened = null
        return
      default:
        void this.#perform(() => this.#work(effect))
    }
  }

  #drop(file: string): void {
    try {
      this.#services.folder.drop(this.name, file)
    } catch (error) {
      this.#failure(error)
    }
  }

  async #perform(work: () => Promise<PackageEvent>): Promise<void> {
    try {
      this.#send(await work().catch((error: unknown) => this.#fault(error)))
    } catch (error) {
      this.#failure(error)
    }
  }

  #fault(error: unknown): PackageEvent {
    this.#error = error
    // An upload that was not committed cannot be started again.
    const isUpload = this.#state.former !== null
    const reported =
      isUpload && error instanceof SignInError ? new SignInError('upload it again', { cause: error }) : error
    return { type: 'fault', error: this.#failure(reported), isRetryable: isRetryable(error) }
  }

  #failure(error: unknown): Failure {
    return failureOf(error, this.#services.log, this.name)
  }

  async #work(effect: 'read' | 'reopen' | 'check' | 'open' | 'stop' | 'remove'): Promise<PackageEvent> {
    const { folder } = this.#services
    const { active, target } = this.#state
    const loaded = this.#loaded.get(target.stored.file)
    switch (effect) {
      case 'read':
        if (loaded === undefined) this.#loaded.set(target.stored.file, readPackage(folder, this.name, target.stored))
        return { type: 'read' }
      case 'reopen':
        if (active !== null) {
          this.#opened = await reopenPackage(this.#services, readPackage(folder, this.name, active.version))
        }
        return { type: 'reopened' }
      case 'check': {
        const running = this.#running
        if (running === null || loaded === undefined) return { type: 'checked', isCurrent: true }
        // The start reports other errors.
        const mustReconnect = await shouldReconnect(this.#services, running, loaded).catch(() => true)
        return { type: 'checked', isCurrent: !mustReconnect }
      }
      case 'open':
        if (loaded === undefined) throw new Error('The package is not in memory.')
        await this.#open(loaded, target.stored)
        return { type: 'opened' }
      case 'stop': {
        const running = this.#running
        this.#running = null
        if (running !== null) {
          this.#services.running.delete(running.namespace)
          await this.#retire(running, stopTime)
        }
        return { type: 'stopped' }
      }
      case 'remove':
        folder.remove(this.name)
        return { type: 'removed' }
    }
  }

  async #open(loaded: LoadedPackage, { allowDataLoss, lossDigest }: AllowedLoss): Promise<void> {
    this.#opened = await openPackage(this.#services, loaded, {
      allowDataLoss,
      lossDigest,
      beforeChanges: () => {
        this.#send({ type: 'changing' })
        return this.#drained
      },
      betweenTries: () => this.#send({ type: 'waiting' }),
      beforeCommit: () => this.#send({ type: 'committing' }),
    })
  }

  async #previewOf(file: string): Promise<PackageEvent> {
    const loaded = this.#loaded.get(file)
    const preview = loaded === undefined ? [] : (await previewOfStart(this.#services, loaded)).warnings
    return { type: 'previewed', file, preview }
  }

  /** Requests that started on the replaced version end on it. */
  async #retire(replaced: RunningPackage, timeout: number): Promise<void> {
    await this.#services.requestGate.drained(timeout, replaced.namespace)
    await replaced.engine.close().catch((error: unknown) => void this.#failure(error))
  }
}
