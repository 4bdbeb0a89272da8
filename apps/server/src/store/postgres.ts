import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { postgresFailure, storeAway } from './failures.ts'
import { Pulse } from './pulse.ts'

export type PostgresOptions = {
  poolSize?: number
  /** Hears the reason when the database is gone, and null when it is back. */
  onAway?: (reason: unknown) => void
}

/** How many a server has to the database unless told otherwise. */
export const connections = 10

/** To make a connection, the greeting included. */
const connectTime = 3000

class PromptClient extends pg.Client {
  constructor(settings: pg.ClientConfig = {}) {
    // Here and not on the pool, where it would also bound the wait for a free connection.
    super({ ...settings, connectionTimeoutMillis: connectTime })
  }
}

/**
 * Connections that never end the process and never keep a caller waiting for a database that is gone: what is under way then
 * fails at once, what comes after fails without asking, until the database answers again.
 */
export class WatchedPool implements PostgresPool {
  readonly options: object
  readonly #pool: pg.Pool
  readonly #pulse: Pulse
  readonly #onAway: (reason: unknown) => void
  /** Connections that somebody works with. */
  readonly #busy = new Set<pg.PoolClient>()
  /** When each connection was made, counted in absences of the database: older ones are not trusted. */
  readonly #made = new WeakMap<pg.PoolClient, number>()
  #absences = 0
  #gone = Promise.withResolvers<never>()

  constructor(url: string, options: PostgresOptions) {
    const settings: pg.ClientConfig = {
      connectionString: url,
      types: numericTypes(),
      keepAlive: true,
      // A server that froze in a transaction must not keep its locks from the others.
      idle_in_transaction_session_timeout: 60_000,
    }
    this.#pool = new pg.Pool({ ...settings, max: options.poolSize ?? connections, Client: PromptClient })
    this.options = this.#pool.options
    this.#onAway = options.onAway ?? (() => undefined)
    this.#pulse = new Pulse(
      () => new PromptClient(settings),
      away => this.#changed(away),
    )
    this.#gone.promise.catch(() => undefined)
    // One that dies, idle or in use, says so in its next query; without listeners it would end the process.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', client => client.on('error', () => undefined))
  }

  async connect(): Promise<PostgresPoolClient> {
    if (this.#pulse.away !== null) throw storeAway(this.#pulse.away)
    this.#pulse.expect()
    try {
      const client = await this.#acquire()
      this.#busy.add(client)
      return this.#watched(client)
    } catch (error) {
      this.#pulse.settled()
      throw this.#failure(error)
    }
  }

  async end(): Promise<void> {
    this.#pulse.stop()
    await this.#pool.end()
  }

  /** A connection made since the database was away last. */
  async #acquire(): Promise<pg.PoolClient> {
    for (;;) {
      const coming = this.#pool.connect()
      const client = await Promise.race([coming, this.#gone.promise]).catch((error: unknown) => {
        // Comes too late for its caller, and goes back.
        coming.then(late => late.release(true)).catch(() => undefined)
        throw error
      })
      const made = this.#made.get(client) ?? this.#absences
      this.#made.set(client, made)
      if (made === this.#absences) return client
      client.release(true)
    }
  }

  /** The connection itself, but for how it asks and how it is given back. */
  #watched(client: pg.PoolClient): PostgresPoolClient {
    const query = async (text: string, values: readonly unknown[]) => {
      try {
        const result = await client.query(text, [...values])
        this.#pulse.heard()
        return result
      } catch (error) {
        throw this.#failure(error)
      }
    }
    const release = (destroy?: boolean) => {
      this.#busy.delete(client)
      this.#pulse.settled()
      client.release(destroy)
    }
    const own = new Map<string | symbol, unknown>(Object.entries({ query, release }))
    return new Proxy(client, { get: (target, name) => own.get(name) ?? Reflect.get(target, name) })
  }

  #failure(error: unknown): unknown {
    const failure = postgresFailure(error)
    if (failure === null) {
      this.#pulse.heard()
      return error
    }
    if (failure.code === 'store_away') this.#pulse.lost()
    return failure
  }

  #changed(away: unknown): void {
    if (away !== null) {
      this.#absences++
      this.#gone.reject(storeAway(away))
      for (const client of this.#busy) client.connection.stream.destroy()
    } else {
      this.#gone = Promise.withResolvers()
      this.#gone.promise.catch(() => undefined)
    }
    this.#onAway(away)
  }
}

/** 64-bit integers of this store are ids and counts, all below 2^53: read them as numbers. */
function numericTypes(): pg.CustomTypesConfig {
  const int8 = 20
  return {
    getTypeParser: (oid, format) =>
      Number(oid) === int8 && format !== 'binary'
        ? (text: string) => Number(text)
        : pg.types.getTypeParser(oid, format),
  }
}
