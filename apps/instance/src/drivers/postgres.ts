import pg from 'pg'
import {
  DatabaseError,
  type DatabaseErrorKind,
  type Driver,
  type Queries,
  type SqlResult,
  type SqlStatement,
} from './driver.ts'
import type { AnswerScope } from '../request-scope.ts'
import { Seats } from '../seats.ts'
import { grace, notTaken } from './intake.ts'
import { cancelStatement } from './postgres-cancel.ts'
import { Connections } from './postgres-connections.ts'
import { type Prepared, prepared, SentStatement } from './postgres-statement.ts'
import type { DatabaseServer } from './settings.ts'

/** Connections to one database, however many packages use it. */
const connections = 10
/** To be connected, the wait for a free connection included. */
const connectTime = 5000
/** For one statement: the server ends it, and where that does not answer, so do we a little later. */
const statementTime = 30_000
/** For tables that are to be changed and that others hold: who comes after waits as well. */
const lockTime = 2000
/** For one statement that changes tables. */
const reshapeTime = 600_000
/** A server sees at once that an instance is no more, also while it copies rows for it: others would wait for those tables until it is done. */
const noticing = {
  text: "SELECT set_config('client_connection_check_interval', '1s', false) WHERE current_setting('server_version_num')::int >= 140000",
  parameters: [],
}
const later = 2000
/** Texts that are prepared under a name; what comes after is parsed each time. */
const namedStatements = 2000

/** Connections that never end the process: what is under way fails when one breaks, and the next call is given a new one. */
export function openPostgres(server: DatabaseServer): Driver {
  const free = new Connections(poolFor(server))
  const patience = new Patience()
  let texts = new Texts(0)
  const run: Run = (client, { text, parameters }, waited) =>
    asked(patience, client, texts.of(text), parameters, statementTime, waited)
  const runFor =
    (time: number): Run =>
    (client, { text, parameters }, waited) =>
      asked(patience, client, prepared('', text), parameters, time, waited)
  return {
    dialect: 'postgresql',
    query: reading(server, free, run),
    transaction: work => withClient(free, client => transaction(client, run, work)),
    async reshape(work, beforeCommit) {
      const result = await withClient(free, async client => {
        // Where the server cannot, it goes on without.
        await run(client, noticing).catch(() => undefined)
        return transaction(client, runFor(reshapeTime), async connection => {
          const done = await inPatience(connection, work, reshapeTime)
          beforeCommit()
          return done
        })
      })
      // What was prepared before is of tables that are no more.
      texts = new Texts(texts.shapes + 1)
      return result
    },
    unhurried: (work, most = reshapeTime) =>
      withClient(free, client => transaction(client, runFor(most), connection => inPatience(connection, work, most))),
    check: () =>
      withClient(free, async client => {
        await run(client, { text: 'SELECT 1', parameters: [] })
      }),
    close: () => free.close(),
  }
}

type Run = (client: pg.PoolClient, statement: SqlStatement, waited?: Waited) => Promise<SqlResult>

/** On a connection that is free, or for which it is waited. */
function reading(server: DatabaseServer, free: Connections, run: Run): Driver['query'] {
  return (statement, scope) => {
    const client = free.atHand()
    if (client) return run(client, statement, { free, scope, server })
    return connected(free).then(other => {
      if (!scope?.isGone) return run(other, statement, { free, scope, server })
      free.giveBack(other, true)
      throw notTaken('gone')
    })
  }
}

function poolFor(server: DatabaseServer): pg.Pool {
  const pool = new pg.Pool({
    host: server.host,
    port: server.port,
    database: server.database,
    user: server.username,
    password: server.password,
    application_name: 'cadmus-instance',
    max: connections,
    connectionTimeoutMillis: connectTime,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    options: `-c datestyle=ISO -c timezone=UTC -c bytea_output=hex -c statement_timeout=${statementTime}`,
  })
  // One that dies in the pool says so in its next query; without a listener it would end the process.
  pool.on('error', () => undefined)
  return pool
}

async function withClient<T>(free: Connections, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = free.atHand() ?? (await connected(free))
  try {
    const result = await work(client)
    free.giveBack(client, true)
    return result
  } catch (error) {
    // What is none of the database's is thrown when all is taken back.
    free.giveBack(client, !(error instanceof DatabaseError) || leavesSound(error.cause))
    throw error
  }
}

function connected(free: Connections): Promise<pg.PoolClient> {
  return free.fromPool().catch((error: unknown) => {
    throw failure(error)
  })
}

/** What is not an answer of the database leaves the connection in doubt. */
function leavesSound(error: unknown): boolean {
  return error instanceof pg.DatabaseError
}

async function transaction<T>(client: pg.PoolClient, run: Run, work: (connection: Queries) => Promise<T>): Promise<T> {
  await run(client, { text: 'BEGIN', parameters: [] })
  try {
    const result = await work({ query: (statement, scope) => run(client, statement, { scope }) })
    await run(client, { text: 'COMMIT', parameters: [] })
    return result
  } catch (error) {
    await run(client, { text: 'ROLLBACK', parameters: [] }).catch(() => undefined)
    throw error
  }
}

/** Changes wait shortly for the tables, then take as long as rows take to be copied. */
async function inPatience<T>(connection: Queries, work: (connection: Queries) => Promise<T>, time: number): Promise<T> {
  await connection.query({ text: `SET LOCAL lock_timeout = ${lockTime}`, parameters: [] })
  await connection.query({ text: `SET LOCAL statement_timeout = ${time}`, parameters: [] })
  return work(connection)
}

/** Whose caller waits, without whom it is cancelled; outside of transactions also where the connection is given back to. */
type Waited = {
  readonly scope: AnswerScope | undefined
  readonly free?: Connections
  readonly server?: DatabaseServer
}

/** One promise, and no more: every call of a package comes by here. */
function asked(
  patience: Patience,
  client: pg.PoolClient,
  statement: Prepared,
  parameters: SqlStatement['parameters'],
  time: number,
  waited?: Waited,
): Promise<SqlResult> {
  return new Promise((resolve, reject) => {
    const scope = waited?.scope
    const leave = () => void setTimeout(() => leaveOff(sent, client, waited?.server), grace).unref()
    const done = (error: Error | null, result: SqlResult) => {
      patience.over(sent)
      scope?.notAtEnd(leave)
      waited?.free?.giveBack(client, error === null || leavesSound(error))
      if (error) reject(failure(error))
      else resolve(result)
    }
    const sent = new SentStatement(statement, parameters, scope, performance.now() + time + later, done)
    patience.begin(sent)
    scope?.atEnd(leave)
    client.query(sent)
  })
}

/** Nobody waits for it any longer. */
function leaveOff(sent: SentStatement, client: pg.PoolClient, server: DatabaseServer | undefined): void {
  if (sent.isOver) return
  if (server) cancelStatement(server, client)
  sent.giveUp(notTaken('gone'))
}

/** The texts of one shape of the tables, with the names under which they are prepared. */
class Texts {
  readonly shapes: number
  readonly #known = new Map<string, Prepared>()

  constructor(shapes: number) {
    this.shapes = shapes
  }

  of(text: string): Prepared {
    const known = this.#known.get(text)
    if (known) return known
    if (this.#known.size >= namedStatements) return prepared('', text)
    const named = prepared(`s${this.shapes}_${this.#known.size}`, text)
    this.#known.set(text, named)
    return named
  }
}

/** Gives up what no server answers: one timer for all that is under way. */
class Patience {
  readonly #underWay = new Seats<SentStatement>()
  #timer: NodeJS.Timeout | null = null

  begin(sent: SentStatement): void {
    this.#underWay.take(sent)
    this.#timer ??= setInterval(() => this.#look(), 1000).unref()
  }

  over(sent: SentStatement): void {
    this.#underWay.leave(sent)
  }

  #look(): void {
    const now = performance.now()
    for (const sent of this.#underWay.all.filter(({ until }) => until <= now))
      sent.giveUp(new Error('Query read timeout'))
    if (this.#underWay.all.length > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}

function failure(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error
  if (!(error instanceof pg.DatabaseError)) return new DatabaseError(isLost(error) ? 'unavailable' : 'other', error)
  return new DatabaseError(kindOf(error.code ?? ''), error)
}

/** By SQLSTATE. */
const kinds: Readonly<Record<string, DatabaseErrorKind>> = {
  '23502': 'notNull',
  '23503': 'foreignKey',
  '23001': 'foreignKey',
  '23505': 'unique',
  '23514': 'check',
  '40001': 'contended',
  '40P01': 'contended',
  '55P03': 'contended',
  '53100': 'full',
  '57014': 'unavailable',
  '25006': 'unavailable',
  '25P03': 'unavailable',
  // Of a changed record that is larger than may be answered (`wire.atMost`): no other text of ours divides.
  '22012': 'needsSlot',
}

/** Classes: 08 connection, 22 data, 28 sign-in, 3D no such database, 42501 not allowed, 53 resources, 57P shutdown, 58 system. */
function kindOf(state: string): DatabaseErrorKind {
  const known = kinds[state]
  if (known) return known
  if (/^(?:28|3D|42501)/.test(state)) return 'refused'
  if (/^(?:08|53|57P|58)/.test(state)) return 'unavailable'
  // A statement that is too large for its limits is so by its values: the texts are ours.
  return /^(?:22|54)/.test(state) ? 'value' : 'other'
}

/** Of the network and of the driver, which has no codes of its own: none of them is the statement's fault. */
function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (/^(?:E[A-Z]+|EAI_[A-Z]+)$/.test(code)) return true
  return /^(?:Connection terminated|timeout e|timeout exceeded|Query read timeout|Client (?:was closed|has encountered))/.test(
    error.message,
  )
}
