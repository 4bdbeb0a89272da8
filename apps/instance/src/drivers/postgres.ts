import pg from 'pg'
import {
  DatabaseError,
  type DatabaseErrorKind,
  type Driver,
  type Queries,
  type SqlResult,
  type SqlStatement,
  type SqlValue,
} from './driver.ts'
import type { DatabaseServer } from './settings.ts'

/** Connections to one database, however many packages use it. */
const connections = 10
/** To be connected, the wait for a free connection included. */
const connectTime = 5000
/** For one statement: the server ends it, and where that does not answer, so do we. */
const statementTime = 30_000
/** For one statement that changes tables. */
const reshapeTime = 600_000
/** Texts that are prepared under a name; what comes after is parsed each time. */
const namedStatements = 2000

/** Connections that never end the process: what is under way fails when one breaks, and the next call is given a new one. */
export function openPostgres(server: DatabaseServer): Driver {
  const pool = poolFor(server)
  let names = new Map<string, string>()
  let shapes = 0
  const run = (client: pg.PoolClient, statement: SqlStatement) =>
    query(client, statement, nameOf(names, shapes, statement.text))
  return {
    dialect: 'postgresql',
    query: statement => withClient(pool, client => run(client, statement)),
    transaction: work => withClient(pool, client => transaction(client, run, work)),
    async reshape(work, beforeCommit) {
      const result = await withClient(pool, client =>
        transaction(client, runLong, async connection => {
          const done = await inPatience(connection, work)
          beforeCommit()
          return done
        }),
      )
      // What was prepared before is of tables that are no more.
      names = new Map()
      shapes += 1
      return result
    },
    check: () =>
      withClient(pool, async client => {
        await query(client, { text: 'SELECT 1', parameters: [] })
      }),
    close: () => pool.end(),
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
    query_timeout: statementTime + 2000,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    options: `-c datestyle=ISO -c timezone=UTC -c bytea_output=hex -c statement_timeout=${statementTime}`,
    types: { getTypeParser },
  })
  // One that dies, idle or in use, says so in its next query; without listeners it would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', client => client.on('error', () => undefined))
  return pool
}

async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw failure(error)
  })
  try {
    const result = await work(client)
    client.release()
    return result
  } catch (error) {
    // What is not an answer of the database leaves the connection in doubt.
    client.release(!(error instanceof DatabaseError && error.cause instanceof pg.DatabaseError))
    throw error
  }
}

async function transaction<T>(
  client: pg.PoolClient,
  run: (client: pg.PoolClient, statement: SqlStatement) => Promise<SqlResult>,
  work: (connection: { query: Driver['query'] }) => Promise<T>,
): Promise<T> {
  await query(client, { text: 'BEGIN', parameters: [] })
  try {
    const result = await work({ query: statement => run(client, statement) })
    await query(client, { text: 'COMMIT', parameters: [] })
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** Changes wait shortly for the tables, then take as long as rows take to be copied. */
async function inPatience<T>(connection: Queries, work: (connection: Queries) => Promise<T>): Promise<T> {
  await connection.query({ text: `SET LOCAL lock_timeout = ${connectTime}`, parameters: [] })
  await connection.query({ text: `SET LOCAL statement_timeout = ${reshapeTime}`, parameters: [] })
  return work(connection)
}

function runLong(client: pg.PoolClient, statement: SqlStatement): Promise<SqlResult> {
  return query(client, statement, undefined, reshapeTime + 2000)
}

/** `time`: other than that of the connection, in milliseconds. */
function query(
  client: pg.PoolClient,
  { text, parameters }: SqlStatement,
  name?: string,
  time?: number,
): Promise<SqlResult> {
  return new Promise((resolve, reject) => {
    const asked = { name, text, values: parameters.map(sendable), rowMode: 'array' as const, query_timeout: time }
    client.query<SqlValue[]>(asked, (error: Error | null, result) => {
      if (error) reject(failure(error))
      else resolve({ rows: result.rows, changes: result.rowCount ?? 0 })
    })
  })
}

function nameOf(names: Map<string, string>, shapes: number, text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= namedStatements) return known
  const name = `s${shapes}_${names.size}`
  names.set(text, name)
  return name
}

/** The driver knows no bigints, and takes bytes as buffers only. */
function sendable(value: SqlValue): string | number | boolean | null | Buffer {
  if (typeof value === 'bigint') return value.toString()
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value
}

const oids = { boolean: 16, bytes: 17, int2: 21, int4: 23, float4: 700, float8: 701 }

const asBoolean = (text: string) => text === 't'
const asBytes = (text: string) => Buffer.from(text.slice(2), 'hex')
const asText = (text: string) => text

/** Numbers that are exact as such, booleans and bytes; everything else stays the text that the server wrote. */
function getTypeParser(oid: number): (text: string) => SqlValue {
  switch (oid) {
    case oids.boolean:
      return asBoolean
    case oids.int2:
    case oids.int4:
    case oids.float4:
    case oids.float8:
      return Number
    case oids.bytes:
      return asBytes
    default:
      return asText
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
  '57014': 'unavailable',
  '25006': 'unavailable',
  '25P03': 'unavailable',
}

/** Classes: 08 connection, 22 data, 28 sign-in, 3D no such database, 53 resources, 57P shutdown, 58 system. */
function kindOf(state: string): DatabaseErrorKind {
  const known = kinds[state]
  if (known) return known
  if (/^(?:08|28|3D|53|57P|58)/.test(state)) return 'unavailable'
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
