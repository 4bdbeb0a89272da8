import pg from 'pg'

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
export class HealthMonitor {
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
