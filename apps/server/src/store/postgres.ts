import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { postgresFailure, storeUnavailable } from './failures.ts'

export type PostgresOptions = {
  poolSize?: number
  /** Called with the reason when the database becomes unavailable, and with null when it is back. */
  onAvailability?: (reason: unknown) => void
}

/** Default number of database connections per server. */
export const defaultPoolSize = 10

/** Milliseconds to connect, including the handshake. */
const connectTimeout = 3000

class PromptClient extends pg.Client {
  constructor(settings: pg.ClientConfig = {}) {
    // Set on the client, because on the pool it would also limit the wait for a free connection.
    super({ ...settings, connectionTimeoutMillis: connectTimeout })
  }
}

/**
 * A connection pool that survives database outages: open queries fail at once, later ones fail without trying, until
 * the database is available again.
 */
export class WatchedPool implements PostgresPool {
  readonly options: object
  readonly #pool: pg.Pool
  readonly #health: HealthMonitor
  readonly #onAvailability: (reason: unknown) => void
  /** Connections in use. */
  readonly #busy = new Set<pg.PoolClient>()
  /** The number of outages before each connection was created; connections older than the last outage are discarded. */
  readonly #outageAtCreation = new WeakMap<pg.PoolClient, number>()
  #outages = 0
  #outage = Promise.withResolvers<never>()

  constructor(url: string, options: PostgresOptions) {
    const settings: pg.ClientConfig = {
      connectionString: url,
      types: numericTypes(),
      keepAlive: true,
      // A frozen server must not keep its transaction's locks.
      idle_in_transaction_session_timeout: 60_000,
    }
    this.#pool = new pg.Pool({ ...settings, max: options.poolSize ?? defaultPoolSize, Client: PromptClient })
    this.options = this.#pool.options
    this.#onAvailability = options.onAvailability ?? (() => undefined)
    this.#health = new HealthMonitor(
      () => new PromptClient(settings),
      away => this.#availabilityChanged(away),
    )
    this.#outage.promise.catch(() => undefined)
    // Broken connections report the error in the next query; without listeners the event would end the process.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', client => client.on('error', () => undefined))
  }

  async connect(): Promise<PostgresPoolClient> {
    if (this.#health.away !== null) throw storeUnavailable(this.#health.away)
    this.#health.expect()
    try {
      const client = await this.#acquire()
      this.#busy.add(client)
      return this.#watched(client)
    } catch (error) {
      this.#health.settled()
      throw this.#failure(error)
    }
  }

  async end(): Promise<void> {
    this.#health.stop()
    await this.#pool.end()
  }

  /** Returns a connection created after the last outage. */
  async #acquire(): Promise<pg.PoolClient> {
    for (;;) {
      const coming = this.#pool.connect()
      const client = await Promise.race([coming, this.#outage.promise]).catch((error: unknown) => {
        // Arrives after the outage and is discarded.
        coming.then(late => late.release(true)).catch(() => undefined)
        throw error
      })
      const outageAtCreation = this.#outageAtCreation.get(client) ?? this.#outages
      this.#outageAtCreation.set(client, outageAtCreation)
      if (outageAtCreation === this.#outages) return client
      client.release(true)
    }
  }

  /** Wraps the query and release of a connection. */
  #watched(client: pg.PoolClient): PostgresPoolClient {
    const query = async (text: string, values: readonly unknown[]) => {
      try {
        const result = await client.query(text, [...values])
        this.#health.receivedAnswer()
        return result
      } catch (error) {
        throw this.#failure(error)
      }
    }
    const release = (destroy?: boolean) => {
      this.#busy.delete(client)
      this.#health.settled()
      client.release(destroy)
    }
    const own = new Map<string | symbol, unknown>(Object.entries({ query, release }))
    return new Proxy(client, { get: (target, name) => own.get(name) ?? Reflect.get(target, name) })
  }

  #failure(error: unknown): unknown {
    const failure = postgresFailure(error)
    if (failure === null) {
      this.#health.receivedAnswer()
      return error
    }
    if (failure.code === 'store_away') this.#health.connectionLost()
    return failure
  }

  #availabilityChanged(away: unknown): void {
    if (away !== null) {
      this.#outages++
      this.#outage.reject(storeUnavailable(away))
      for (const client of this.#busy) client.connection.stream.destroy()
    } else {
      this.#outage = Promise.withResolvers()
      this.#outage.promise.catch(() => undefined)
    }
    this.#onAvailability(away)
  }
}

/** Parses 64-bit integers as numbers: ids and counts of this store are all below 2^53. */
function numericTypes(): pg.CustomTypesConfig {
  const int8 = 20
  return {
    getTypeParser: (oid, format) =>
      Number(oid) === int8 && format !== 'binary'
        ? (text: string) => Number(text)
        : pg.types.getTypeParser(oid, format),
  }
}

/**
 * Milliseconds between two beats. Counting beats instead of time avoids blaming the database when this thread was busy
 * or suspended.
 */
const beatInterval = 250
/** Beats without an answer until the database is probed on a separate connection. */
const maxQuietBeats = 4
/** Beats to wait for the probe: three seconds in total with the silence before. */
const maxProbeBeats = 8

type Connect = () => pg.Client

/**
 * Detects whether the database is available, from its answers, or by probing after silence. A long statement is not an
 * outage; a frozen database does not answer the probe either.
 */
class HealthMonitor {
  readonly #connect: Connect
  readonly #changed: (away: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #expected = 0
  #quietBeats = 0
  #probeBeats = 0
  #probe: pg.Client | null = null
  #away: unknown = null

  /** `changed` receives the reason of an outage, and null at its end. */
  constructor(connect: Connect, changed: (away: unknown) => void) {
    this.#connect = connect
    this.#changed = changed
  }

  /** The reason of the outage; null while available. */
  get away(): unknown {
    return this.#away
  }

  /** Starts watching for an answer. `settled` must be called once for each call. */
  expect(): void {
    if (this.#expected === 0) this.#quietBeats = 0
    this.#expected++
    this.#watch()
  }

  settled(): void {
    this.#expected--
  }

  /** The database answered. */
  receivedAnswer(): void {
    this.#quietBeats = 0
  }

  /** A connection failed: probes whether the whole database is unavailable. */
  connectionLost(): void {
    this.#watch()
    this.#startProbe()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    drop(this.#probe)
    this.#probe = null
  }

  #watch(): void {
    this.#timer ??= setInterval(() => this.#beat(), beatInterval).unref()
  }

  #beat(): void {
    if (this.#probe !== null) {
      this.#probeBeats++
      if (this.#probeBeats > maxProbeBeats) this.#probeTimedOut(this.#probe)
      return
    }
    this.#quietBeats++
    if (this.#away !== null || this.#quietBeats >= maxQuietBeats) this.#startProbe()
    if (this.#away === null && this.#expected === 0 && this.#probe === null) this.stop()
  }

  #startProbe(): void {
    if (this.#probe !== null) return
    if (this.#away === null && this.#expected === 0) return
    this.#probeBeats = 0
    const client = this.#connect()
    this.#probe = client
    client.on('error', () => undefined)
    client
      .connect()
      .then(() => client.query('select 1'))
      .then(
        () => this.#answered(client, null),
        (error: unknown) => this.#answered(client, isFull(error) ? null : error),
      )
  }

  #answered(client: pg.Client, away: unknown): void {
    if (this.#probe !== client) return
    if (away === null) void client.end().catch(() => undefined)
    else drop(client)
    this.#probe = null
    this.#quietBeats = 0
    this.#report(away)
  }

  #probeTimedOut(client: pg.Client): void {
    drop(client)
    this.#probe = null
    this.#report(new Error('The database did not answer.'))
  }

  #report(away: unknown): void {
    const changed = (this.#away === null) !== (away === null)
    this.#away = away
    if (changed) this.#changed(away)
  }
}

/** A database without free connections is available. */
function isFull(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '53300' || error.code === '53400')
}

/** Closes immediately; a graceful shutdown could block. */
function drop(client: pg.Client | null): void {
  client?.connection.stream.destroy()
}
