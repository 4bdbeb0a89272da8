import { Backoff } from '../backoff.ts'
import { serialQueue } from '../concurrency.ts'
import { DatabaseError } from './driver.ts'

/** Maximum number of connections to one database, which its packages share. */
const maxConnections = 10
/** Timeout for getting a connection, in milliseconds. */
const waitTime = 5000
/** Timeout of a sign-in, because others wait for it; not every driver has one for all of its steps. */
const signInTime = 10_000
/** Connections that are free for this long are closed. */
const idleTime = 15_000
/** Connections that are free for this long are checked before their next use, if the driver does not report lost ones. */
const uncheckedTime = 1000

type Connector<C> = {
  /** Throws a `DatabaseError`. Calls `lost` when the connection breaks; `late` aborts the attempt. */
  connect(lost: () => void, late: AbortSignal): Promise<C>
  disconnect(connection: C): void
  /** Whether a connection can be used after this error. */
  isReusable(error: unknown): boolean
  /** Checks an idle connection. Present if `connect` never calls `lost`. */
  isAlive?(connection: C): Promise<boolean>
}

type Waiter<C> = { readonly take: (connection: C) => void; readonly fail: (error: DatabaseError) => void }

/**
 * Connects one after the other, so that a refused sign-in is not repeated for every waiting caller. If connecting fails,
 * callers wait for the connections that are open.
 */
export class ConnectionPool<C> {
  readonly #connector: Connector<C>
  readonly #signIns: SignIns
  readonly #open = new Set<C>()
  readonly #free: C[] = []
  /** When connections that need checks became free. */
  readonly #freeSince = new Map<C, number>()
  readonly #waiting: Waiter<C>[] = []
  #isConnecting = false
  #failure: DatabaseError | null = null
  /** The number of connections that have been free since the last check. */
  #idle = 0
  #timer: NodeJS.Timeout | null = null
  #closed: PromiseWithResolvers<void> | null = null

  constructor(connector: Connector<C>, signIns: SignIns) {
    this.#connector = connector
    this.#signIns = signIns
  }

  async use<T>(work: (connection: C) => Promise<T>): Promise<T> {
    const connection = (await this.#takeAlive()) ?? (await this.take())
    try {
      const result = await work(connection)
      this.release(connection)
      return result
    } catch (error) {
      this.release(connection, error)
      throw error
    }
  }

  takeFree(): C | undefined {
    const connection = this.#free.pop()
    if (this.#free.length < this.#idle) this.#idle = this.#free.length
    return connection
  }

  async #takeAlive(): Promise<C | undefined> {
    for (;;) {
      const connection = this.takeFree()
      const since = connection === undefined ? undefined : this.#freeSince.get(connection)
      if (connection === undefined || since === undefined || Date.now() - since < uncheckedTime) return connection
      if (await this.#connector.isAlive?.(connection)) return connection
      this.#disconnect(connection)
    }
  }

  /** Waits for a connection. Throws a `DatabaseError`. */
  take(): Promise<C> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== null) return reject(unavailable('The connections have been closed.'))
      const waiter: Waiter<C> = {
        take(connection) {
          clearTimeout(timer)
          resolve(connection)
        },
        fail(error) {
          clearTimeout(timer)
          reject(error)
        },
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        reject(this.#failure ?? unavailable('No connection became free in time.'))
      }, waitTime)
      this.#waiting.push(waiter)
      void this.#connectWaiting()
    })
  }

  release(connection: C, error: unknown = null): void {
    const isReusable = error === null || this.#connector.isReusable(error)
    if (!this.#open.has(connection)) return
    if (!isReusable || this.#closed !== null) return this.#disconnect(connection)
    const waiter = this.#waiting.shift()
    if (waiter) return waiter.take(connection)
    this.#free.push(connection)
    if (this.#connector.isAlive) this.#freeSince.set(connection, Date.now())
    this.#timer ??= setInterval(() => this.#disconnectIdle(), idleTime).unref()
  }

  /** Waits for running statements. */
  async close(): Promise<void> {
    this.#closed ??= Promise.withResolvers<void>()
    for (const { fail } of this.#waiting.splice(0)) fail(unavailable('The connections have been closed.'))
    this.#idle = this.#free.length
    this.#disconnectIdle()
    this.#resolveClosed()
    await this.#closed.promise
  }

  async #connectWaiting(): Promise<void> {
    while (!this.#isConnecting && this.#waiting.length > 0 && this.#open.size < maxConnections) {
      this.#isConnecting = true
      const connection = await this.#connect()
      this.#isConnecting = false
      if (connection !== null) this.release(connection)
      else if (this.#open.size > 0) return
    }
    this.#resolveClosed()
  }

  async #connect(): Promise<C | null> {
    let connection: C | null = null
    let isLost = false
    const lost = () => {
      isLost = true
      if (connection !== null) this.#lose(connection)
    }
    try {
      const made = await this.#signIns.signIn(() => this.#connectInTime(lost))
      if (isLost) {
        this.#connector.disconnect(made)
        throw unavailable('The connection was lost.')
      }
      connection = made
      this.#open.add(connection)
      this.#failure = null
      return connection
    } catch (error) {
      const failure = error instanceof DatabaseError ? error : new DatabaseError('other', error)
      this.#failure = failure
      if (this.#open.size === 0) for (const { fail } of this.#waiting.splice(0)) fail(failure)
      return null
    }
  }

  /** A connection that is made too late is closed. */
  async #connectInTime(lost: () => void): Promise<C> {
    const late = Promise.withResolvers<never>()
    const giveUp = new AbortController()
    const timer = setTimeout(() => {
      late.reject(unavailable('The sign-in was not answered in time.'))
      giveUp.abort()
    }, signInTime)
    const connecting = this.#connector.connect(lost, giveUp.signal)
    try {
      return await Promise.race([connecting, late.promise])
    } catch (error) {
      connecting.then(
        connection => this.#connector.disconnect(connection),
        () => undefined,
      )
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Removes a lost connection. The driver rejects its running statement. */
  #lose(connection: C): void {
    if (!this.#open.has(connection)) return
    const index = this.#free.indexOf(connection)
    if (index >= 0) this.#free.splice(index, 1)
    this.#idle = Math.min(this.#idle, this.#free.length)
    this.#disconnect(connection)
  }

  #disconnect(connection: C): void {
    this.#open.delete(connection)
    this.#freeSince.delete(connection)
    this.#connector.disconnect(connection)
    void this.#connectWaiting()
  }

  #disconnectIdle(): void {
    for (const connection of this.#free.splice(0, this.#idle)) this.#disconnect(connection)
    this.#idle = this.#free.length
    if (this.#idle > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  #resolveClosed(): void {
    if (this.#open.size === 0 && !this.#isConnecting) this.#closed?.resolve()
  }
}

function unavailable(reason: string): DatabaseError {
  return new DatabaseError('unavailable', new Error(reason))
}

/**
 * The sign-ins of one user with one password, on all databases of a server: databases lock users after several refusals.
 * One connection is opened at a time, and a refusal pauses further attempts.
 */
export class SignIns {
  readonly #inTurn = serialQueue()
  readonly #backoff = new Backoff(() => Date.now())
  #refusal: DatabaseError | null = null
  #failure: DatabaseError | null = null

  /** Whether the last refusal no longer has an effect. */
  get isOver(): boolean {
    return this.#backoff.isOver
  }

  /** Attempts that wait for one that fails share its error. */
  signIn<C>(connect: () => Promise<C>): Promise<C> {
    const before = this.#failure
    return this.#inTurn(async () => {
      if (this.#failure !== null && this.#failure !== before) throw this.#failure
      if (this.#refusal !== null && !this.#backoff.isDue) {
        throw new DatabaseError(this.#refusal.kind, this.#refusal.cause, this.#backoff.remaining)
      }
      try {
        const connection = await connect()
        this.#refusal = null
        this.#failure = null
        this.#backoff.reset()
        return connection
      } catch (error) {
        this.#note(error)
        throw error
      }
    })
  }

  #note(error: unknown): void {
    if (!(error instanceof DatabaseError)) return
    if (error.kind === 'refused' || error.kind === 'unavailable') this.#failure = error
    if (error.kind !== 'refused') return
    this.#refusal = error
    this.#backoff.failed()
  }
}
