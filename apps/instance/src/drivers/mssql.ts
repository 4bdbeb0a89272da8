import { once } from 'node:events'
import { connect } from 'node:net'
import mssql from 'mssql'
import type { AnswerScope } from '../request-scope.ts'
import {
  type DatabaseError,
  type DatabaseErrorKind,
  type DatabaseServer,
  type Driver,
  failureBy,
  kindsByNumber,
  type SqlResult,
  type SqlRow,
  type SqlStatement,
  type SqlValue,
} from './driver.ts'
import { answerRefused, beginSignIn, RowCollector, onCallerGone } from './answer-size.ts'
import { SignIns } from './connection-pool.ts'

const connections = 10
/** Timeouts for connecting and for one statement, in milliseconds. */
const connectTime = 5000
const statementTime = 30_000

/**
 * Opens SQL Server with encryption. The certificate is verified except for local servers, which usually use a
 * self-signed one.
 */
export function openMssql(server: DatabaseServer, signIns = new SignIns()): Driver {
  const pool = poolFor(server, signIns)
  const connected = async () => {
    try {
      return pool.connected ? pool : await pool.connect()
    } catch (error) {
      throw failure(error)
    }
  }
  return {
    dialect: 'mssql',
    query: async (statement, scope) => {
      const open = await connected()
      scope?.requireCaller()
      return run(open.request(), statement, scope)
    },
    transaction: async work => transaction(new mssql.Transaction(await connected()), work),
    check: async () => {
      await run((await connected()).request(), { text: 'SELECT 1', parameters: [] })
    },
    close: () => pool.close(),
  }
}

function poolFor({ host, port, database, username, password }: DatabaseServer, signIns: SignIns) {
  let endSignIn = () => {}
  const connector = async () => {
    const socket = connect({ host, port })
    endSignIn = beginSignIn(socket)
    socket.setTimeout(connectTime, () => socket.destroy(new Error('The server did not answer in time.')))
    await once(socket, 'connect')
    return socket.setTimeout(0)
  }
  const trustServerCertificate = isLocal(host)
  const pool = new mssql.ConnectionPool({
    server: host,
    port,
    database,
    user: username,
    password,
    connectionTimeout: connectTime,
    requestTimeout: statementTime,
    arrayRowMode: true,
    pool: { max: connections, min: 0 },
    options: { encrypt: true, trustServerCertificate, useUTC: true, appName: 'cadmus-instance', connector },
  })
  pool.on('error', () => undefined)
  guardSignIns(pool, signIns, () => endSignIn())
  return pool
}

/** Routes the pool's sign-ins through `signIns`, one at a time. The pool has no public hook for them. */
function guardSignIns(pool: object, signIns: SignIns, signedIn: () => void): void {
  if (!('_poolCreate' in pool) || typeof pool._poolCreate !== 'function') throw new Error('Unknown version of mssql.')
  const create = pool._poolCreate.bind(pool)
  pool._poolCreate = () =>
    signIns.signIn(async () => {
      try {
        const connection: unknown = await create()
        signedIn()
        return connection
      } catch (error) {
        throw failure(error)
      }
    })
}

async function transaction<T>(
  sqlTransaction: mssql.Transaction,
  work: (connection: { query: Driver['query'] }) => Promise<T>,
): Promise<T> {
  try {
    await sqlTransaction.begin()
  } catch (error) {
    throw failure(error)
  }
  try {
    const result = await work({ query: (statement, scope) => run(new mssql.Request(sqlTransaction), statement, scope) })
    await sqlTransaction.commit().catch((error: unknown) => {
      throw failure(error)
    })
    return result
  } catch (error) {
    await sqlTransaction.rollback().catch(() => undefined)
    throw error
  }
}

/**
 * Streams rows and cancels the request beyond the limit. Errors arrive as events; the last one is the most specific.
 */
async function run(
  request: mssql.Request,
  { text, parameters }: SqlStatement,
  scope?: AnswerScope,
): Promise<SqlResult> {
  request.arrayRowMode = true
  request.stream = true
  for (const [index, value] of parameters.entries()) {
    const type = value instanceof Uint8Array ? mssql.VarBinary(mssql.MAX) : mssql.NVarChar(mssql.MAX)
    request.input(`p${index + 1}`, type, sendable(value))
  }
  const collector = new RowCollector(scope)
  let error: unknown = null
  let isRefused = false
  const refuse = (reason: DatabaseError) => {
    isRefused = true
    error = reason
    request.cancel()
  }
  request.on('error', (reason: unknown) => {
    if (!isRefused) error = reason
  })
  request.on('row', (row: SqlRow) => {
    const reason = isRefused ? null : collector.offer(row)
    if (reason !== null) refuse(reason)
  })
  const stop = scope && onCallerGone(scope, () => refuse(answerRefused('gone')))
  const { rowsAffected } = await request.query<SqlRow>(text).finally(stop)
  if (error === null) return { rows: collector.rows, changes: rowsAffected.at(-1) ?? 0 }
  collector.uncount()
  throw failure(error)
}

function sendable(value: SqlValue): string | null | Buffer {
  if (value === null) return null
  if (value instanceof Uint8Array) return Buffer.from(value)
  return typeof value === 'boolean' ? String(Number(value)) : String(value)
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

const failure = failureBy(kindOf)

const kindByNumber = kindsByNumber({
  unique: [2601, 2627],
  notNull: [515],
  value: [220, 232, 241, 242, 245, 2628, 8114, 8115, 8152],
  privilege: [229, 230, 262],
  contended: [1205, 1222],
  full: [1105, 9002],
})

/** A server or database may be starting. */
function loginKindOf(message: string): DatabaseErrorKind {
  if (/not ready|not currently available|upgrade mode|recover|shut ?down/i.test(message)) return 'unavailable'
  return /Cannot open database/i.test(message) ? 'noDatabase' : 'refused'
}

function kindOf(error: unknown): DatabaseErrorKind {
  if (!(error instanceof Error)) return 'other'
  // ELOGIN errors have no number.
  if ('code' in error && error.code === 'ELOGIN') return loginKindOf(error.message)
  // Foreign keys and checks share a number; the message distinguishes them.
  if ('number' in error && error.number === 547) return /\bCHECK\b/.test(error.message) ? 'check' : 'foreignKey'
  const kind = 'number' in error ? kindByNumber(error.number) : undefined
  if (kind !== undefined) return kind
  return error instanceof mssql.RequestError && error.code === 'EREQUEST' ? 'other' : 'unavailable'
}
