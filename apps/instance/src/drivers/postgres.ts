import { connect, Socket } from 'node:net'
import pg from 'pg'
import type { AnswerScope } from '../request-scope.ts'
import { Slots } from '../concurrency.ts'
import { answerRefused, beginSignIn, cancelDelay } from './answer-size.ts'
import { ConnectionPool, SignIns } from './connection-pool.ts'
import {
  connectError,
  DatabaseError,
  type DatabaseErrorKind,
  type DatabaseServer,
  type Driver,
  type Queries,
  type SqlResult,
  type SqlStatement,
} from './driver.ts'
import { type Prepared, prepared, SentStatement } from './postgres-statement.ts'

const connectTime = 5000
/** Timeout of a statement on the server; the client gives up a little later if the server does not answer. */
const statementTime = 30_000
/** Lock timeout for table changes, since later statements queue behind the lock. */
const lockTime = 2000
/** Timeout of a statement that changes tables. */
const reshapeTime = 600_000
/** Makes the server detect a lost client during long copies, which would otherwise keep the tables locked. */
const disconnectCheck = {
  text: "SELECT set_config('client_connection_check_interval', '1s', false) WHERE current_setting('server_version_num')::int >= 140000",
  parameters: [],
}
const clientDelay = 2000
/** Maximum number of prepared statements; further ones are parsed each time. */
const namedStatements = 2000

/** Opens PostgreSQL. A broken connection fails its running statements; the next call gets a new one. */
export function openPostgres(server: DatabaseServer, signIns = new SignIns()): Driver {
  const pool = poolFor(server, signIns)
  const timeouts = new StatementTimeouts()
  let names = new StatementNames(0)
  const run: Run = (client, { text, parameters }, options) =>
    send(timeouts, client, names.of(text), parameters, statementTime, options)
  const runFor =
    (time: number): Run =>
    (client, { text, parameters }, options) =>
      send(timeouts, client, prepared('', text), parameters, time, options)
  return {
    dialect: 'postgresql',
    query: readOn(server, pool, run),
    transaction: work => pool.use(client => transaction(client, run, work)),
    async reshape(work, beforeCommit) {
      const result = await pool.use(async client => {
        // Older servers lack the setting.
        await run(client, disconnectCheck).catch(() => undefined)
        return transaction(client, runFor(reshapeTime), async connection => {
          const done = await withTimeouts(connection, work, reshapeTime)
          beforeCommit()
          return done
        })
      })
      // Prepared statements refer to the old tables.
      names = new StatementNames(names.version + 1)
      return result
    },
    longRead: (work, max = reshapeTime) =>
      pool.use(client => transaction(client, runFor(max), connection => withTimeouts(connection, work, max))),
    check: () =>
      pool.use(async client => {
        await run(client, { text: 'SELECT 1', parameters: [] })
      }),
    close: () => pool.close(),
  }
}

type Run = (client: pg.Client, statement: SqlStatement, options?: SendOptions) => Promise<SqlResult>

/** Uses a free connection or waits for one. */
function readOn(server: DatabaseServer, pool: Pool, run: Run): Driver['query'] {
  return (statement, scope) => {
    const client = pool.takeFree()
    if (client) return run(client, statement, { pool, scope, server })
    return pool.take().then(other => {
      if (!scope?.isGone) return run(other, statement, { pool, scope, server })
      pool.release(other)
      throw answerRefused('gone')
    })
  }
}

type Pool = ConnectionPool<pg.Client>

function poolFor(server: DatabaseServer, signIns: SignIns): Pool {
  const config: pg.ClientConfig = {
    host: server.host,
    port: server.port,
    database: server.database,
    user: server.username,
    password: server.password,
    application_name: 'cadmus-instance',
    connectionTimeoutMillis: connectTime,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    options: `-c datestyle=ISO -c timezone=UTC -c bytea_output=hex -c statement_timeout=${statementTime}`,
  }
  const connector = {
    async connect(lost: () => void, late: AbortSignal) {
      const socket = new Socket()
      beginSignIn(socket)
      late.addEventListener('abort', () => socket.destroy())
      const client = new pg.Client({ ...config, stream: () => socket })
      // Without a listener, a lost connection would end the process.
      client.on('error', lost)
      client.on('end', lost)
      await client.connect().catch((error: unknown) => {
        // A server may refuse the sign-in and leave the connection open.
        socket.destroy()
        throw connectError(failure(error))
      })
      return client
    },
    disconnect: (client: pg.Client) => void client.end().catch(() => undefined),
    // Other errors are thrown after the rollback; after errors of the network, the state of the connection is unknown.
    isReusable: (error: unknown) => !(error instanceof DatabaseError) || error.cause instanceof pg.DatabaseError,
  }
  return new ConnectionPool(connector, signIns)
}

async function transaction<T>(client: pg.Client, run: Run, work: (connection: Queries) => Promise<T>): Promise<T> {
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

/** Sets a short lock timeout and a long statement timeout. */
async function withTimeouts<T>(
  connection: Queries,
  work: (connection: Queries) => Promise<T>,
  time: number,
): Promise<T> {
  await connection.query({ text: `SET LOCAL lock_timeout = ${lockTime}`, parameters: [] })
  await connection.query({ text: `SET LOCAL statement_timeout = ${time}`, parameters: [] })
  return work(connection)
}

/** `scope` cancels the statement when its caller disconnects; `pool` takes the client back outside of transactions. */
type SendOptions = {
  readonly scope: AnswerScope | undefined
  readonly pool?: Pool
  readonly server?: DatabaseServer
}

/** The hot path of every call: creates a single promise. */
function send(
  timeouts: StatementTimeouts,
  client: pg.Client,
  statement: Prepared,
  parameters: SqlStatement['parameters'],
  time: number,
  options?: SendOptions,
): Promise<SqlResult> {
  return new Promise((resolve, reject) => {
    const scope = options?.scope
    const leave = () => void setTimeout(() => abandon(sent, client, options?.server), cancelDelay).unref()
    const done = (error: Error | null, result: SqlResult) => {
      timeouts.over(sent)
      scope?.offEnd(leave)
      const reason = error === null ? null : failure(error)
      options?.pool?.release(client, reason)
      if (reason) reject(reason)
      else resolve(result)
    }
    const sent = new SentStatement(statement, parameters, scope, performance.now() + time + clientDelay, done)
    timeouts.begin(sent)
    scope?.onEnd(leave)
    client.query(sent)
  })
}

/** Abandons a statement whose caller has disconnected. */
function abandon(sent: SentStatement, client: pg.Client, server: DatabaseServer | undefined): void {
  if (sent.isOver) return
  if (server) cancelStatement(server, client)
  sent.giveUp(answerRefused('gone'))
}

/** The prepared names of statement texts, for one version of the tables. */
class StatementNames {
  readonly version: number
  readonly #prepared = new Map<string, Prepared>()

  constructor(version: number) {
    this.version = version
  }

  of(text: string): Prepared {
    const statement = this.#prepared.get(text)
    if (statement) return statement
    if (this.#prepared.size >= namedStatements) return prepared('', text)
    const named = prepared(`s${this.version}_${this.#prepared.size}`, text)
    this.#prepared.set(text, named)
    return named
  }
}

/** Ends statements past their deadline, with one timer for all. */
class StatementTimeouts {
  readonly #running = new Slots<SentStatement>()
  #timer: NodeJS.Timeout | null = null

  begin(sent: SentStatement): void {
    this.#running.add(sent)
    this.#timer ??= setInterval(() => this.#check(), 1000).unref()
  }

  over(sent: SentStatement): void {
    this.#running.remove(sent)
  }

  #check(): void {
    const now = performance.now()
    for (const sent of this.#running.all.filter(({ until }) => until <= now))
      sent.giveUp(new Error('Query read timeout'))
    if (this.#running.all.length > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}

function failure(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error
  if (!(error instanceof pg.DatabaseError))
    return new DatabaseError(isConnectionLost(error) ? 'unavailable' : 'other', error)
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
  '42501': 'privilege',
  '53100': 'full',
  '57014': 'unavailable',
  '25006': 'unavailable',
  '25P03': 'unavailable',
  // Division by zero: raised for a changed record beyond the limit (`wire.atMost`); no other statement divides.
  '22012': 'needsSlot',
}

/** Classes: 08 connection, 22 data, 28 sign-in, 3D no such database, 53 resources, 57P shutdown, 58 system. */
function kindOf(state: string): DatabaseErrorKind {
  const statement = kinds[state]
  if (statement) return statement
  if (state.startsWith('28')) return 'refused'
  if (state.startsWith('3D')) return 'noDatabase'
  if (/^(?:08|53|57P|58)/.test(state)) return 'unavailable'
  // A statement exceeds program limits only because of its values.
  return /^(?:22|54)/.test(state) ? 'value' : 'other'
}

/** Errors of the network and of the driver, which has no codes. */
function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (/^(?:E[A-Z]+|EAI_[A-Z]+)$/.test(code)) return true
  return /^(?:Connection terminated|timeout e|timeout exceeded|Query read timeout|Client (?:was closed|has encountered))/.test(
    error.message,
  )
}

const cancelCode = 80_877_102
const timeout = 5000

/**
 * Cancels the running statement of a client. Otherwise the server would notice a lost client only when it sends the
 * result.
 */
export function cancelStatement({ host, port }: DatabaseServer, client: pg.Client): void {
  if (!('processID' in client && 'secretKey' in client)) return
  const { processID, secretKey } = client
  if (typeof processID !== 'number' || typeof secretKey !== 'number') return
  const message = Buffer.alloc(16)
  message.writeInt32BE(message.length, 0)
  message.writeInt32BE(cancelCode, 4)
  message.writeInt32BE(processID, 8)
  message.writeInt32BE(secretKey, 12)
  const socket = connect({ host, port, timeout: timeout })
  socket.on('error', () => undefined)
  socket.on('timeout', () => socket.destroy())
  socket.end(message)
}
