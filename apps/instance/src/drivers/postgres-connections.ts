import type pg from 'pg'

/** Connections that nobody needed for so long go back to the pool, which ends them. */
const restTime = 5000

/**
 * The connections of a pool, kept at hand from one statement to the next: whoever waits for one at the pool comes first. A connection that
 * ends meanwhile is at hand no longer.
 */
export class Connections {
  readonly #pool: pg.Pool
  readonly #free: pg.PoolClient[] = []
  /** How many were free all the time since somebody looked. */
  #rested = 0
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(pool: pg.Pool) {
    this.#pool = pool
    pool.on('connect', client => {
      client.on('error', () => this.#drop(client))
      client.on('end', () => this.#drop(client))
    })
  }

  /** One that is free already. */
  atHand(): pg.PoolClient | undefined {
    const client = this.#free.pop()
    if (this.#free.length < this.#rested) this.#rested = this.#free.length
    return client
  }

  /** One for which it may have to be waited. Throws the driver's error. */
  fromPool(): Promise<pg.PoolClient> {
    return this.#pool.connect()
  }

  /** `isSound`: nothing is in doubt about it. */
  giveBack(client: pg.PoolClient, isSound: boolean): void {
    if (!isSound || this.#isClosed || this.#pool.waitingCount > 0) return client.release(!isSound)
    this.#free.push(client)
    this.#timer ??= setInterval(() => this.#sweep(), restTime).unref()
  }

  /** What is under way ends first. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#rested = this.#free.length
    this.#sweep()
    await this.#pool.end()
  }

  #sweep(): void {
    for (const client of this.#free.splice(0, this.#rested)) client.release()
    this.#rested = this.#free.length
    if (this.#rested > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  #drop(client: pg.PoolClient): void {
    const at = this.#free.indexOf(client)
    if (at < 0) return
    this.#free.splice(at, 1)
    this.#rested = Math.min(this.#rested, this.#free.length)
    client.release(true)
  }
}
