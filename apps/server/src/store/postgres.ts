import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { postgresFailure, storeUnavailable } from './failures.ts'
import { HealthMonitor } from './health-monitor.ts'

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
