import pg from 'pg'

/** The beat of the watch. Beats are counted instead of time, so that a thread that was busy or asleep does not blame the database. */
const beat = 250
/** So many beats without a word from the database until it is asked on a connection of its own. */
const silence = 4
/** So many beats that the answer may take: with the silence before, three seconds. */
const patience = 8

type Connect = () => pg.Client

/**
 * Whether the database is there, by its own words and, when it says nothing while something is expected of it, by asking. A
 * statement that takes long is not taken for a frozen database: a frozen one answers nobody.
 */
export class Pulse {
  readonly #connect: Connect
  readonly #changed: (away: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #expected = 0
  #quiet = 0
  #asked = 0
  #asking: pg.Client | null = null
  #away: unknown = null

  /** `changed` hears the reason when the database is gone, and null when it is back. */
  constructor(connect: Connect, changed: (away: unknown) => void) {
    this.#connect = connect
    this.#changed = changed
  }

  /** Why the database is away; null while it is there. */
  get away(): unknown {
    return this.#away
  }

  /** Something is asked of the database: from now on it is watched, until `settled` was called as often. */
  expect(): void {
    if (this.#expected === 0) this.#quiet = 0
    this.#expected++
    this.#watch()
  }

  settled(): void {
    this.#expected--
  }

  /** The database said something. */
  heard(): void {
    this.#quiet = 0
  }

  /** A connection broke or could not be made: looks whether that was all of the database. */
  lost(): void {
    this.#watch()
    this.#ask()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    drop(this.#asking)
    this.#asking = null
  }

  #watch(): void {
    this.#timer ??= setInterval(() => this.#beat(), beat).unref()
  }

  #beat(): void {
    if (this.#asking !== null) {
      this.#asked++
      if (this.#asked > patience) this.#silent(this.#asking)
      return
    }
    this.#quiet++
    if (this.#away !== null || this.#quiet >= silence) this.#ask()
    if (this.#away === null && this.#expected === 0 && this.#asking === null) this.stop()
  }

  #ask(): void {
    if (this.#asking !== null) return
    if (this.#away === null && this.#expected === 0) return
    this.#asked = 0
    const client = this.#connect()
    this.#asking = client
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
    if (this.#asking !== client) return
    if (away === null) void client.end().catch(() => undefined)
    else drop(client)
    this.#asking = null
    this.#quiet = 0
    this.#tell(away)
  }

  #silent(client: pg.Client): void {
    drop(client)
    this.#asking = null
    this.#tell(new Error('The database does not answer.'))
  }

  #tell(away: unknown): void {
    const changed = (this.#away === null) !== (away === null)
    this.#away = away
    if (changed) this.#changed(away)
  }
}

/** A database that has no connection left is there. */
function isFull(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '53300' || error.code === '53400')
}

/** At once: a farewell could wait for ever. */
function drop(client: pg.Client | null): void {
  client?.connection.stream.destroy()
}
