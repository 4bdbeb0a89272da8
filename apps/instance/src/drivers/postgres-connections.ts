import type pg from 'pg'

/** Connections idle for this long return to the pool, which closes them. */
const idleTime = 5000

/**
 * Holds connections of a pool between statements; callers waiting at the pool have priority. Closed connections are
 * removed.
 */
export class Connections {
  readonly #pool: pg.Pool
  readonly #free: pg.PoolClient[] = []
  /** The number of connections that have been free since the last check. */
  #idle = 0
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(pool: pg.Pool) {
    this.#pool = pool
    pool.on('connect', client => {
      client.on('error', () => this.#drop(client))
      client.on('end', () => this.#drop(client))
    })
  }

  /** Takes a free connection, if any. */
  takeFree(): pg.PoolClient | undefined {
    const client = this.#free.pop()
    if (this.#free.length < this.#idle) this.#idle = this.#free.length
    return client
  }

  /** Takes a connection from the pool, waiting if necessary. Throws the driver's error. */
  connect(): Promise<pg.PoolClient> {
    return this.#pool.connect()
  }

  /** `isReusable`: the state of the connection is known. */
  release(client: pg.PoolClient, isReusable: boolean): void {
    if (!isReusable || this.#isClosed || this.#pool.waitingCount > 0) return client.release(!isReusable)
    this.#free.push(client)
    this.#timer ??= setInterval(() => this.#releaseIdle(), idleTime).unref()
  }

  /** Waits for running statements. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#idle = this.#free.length
    this.#releaseIdle()
    await this.#pool.end()
  }

  #releaseIdle(): void {
    for (const client of this.#free.splice(0, this.#idle)) client.release()
    this.#idle = this.#free.length
    if (this.#idle > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  #drop(client: pg.PoolClient): void {
    const at = this.#free.indexOf(client)
    if (at < 0) return
    this.#free.splice(at, 1)
    this.#idle = Math.min(this.#idle, this.#free.length)
    client.release(true)
  }
}
