import { databases } from '@cadmus/sql/databases'
import { Socket } from 'node:net'
import mysql, { type Connection as Core } from 'mysql2'
import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2/promise'
import { once } from 'node:events'
import type { AnswerScope } from '../request-scope.ts'
import {
  connectError,
  DatabaseError,
  type DatabaseErrorKind,
  type DatabaseServer,
  type Driver,
  failureBy,
  kindsByNumber,
  sendable,
  type SqlResult,
  type SqlStatement,
  type SqlValue,
} from './driver.ts'
import { beginAnswer, answerRefused, beginSignIn, onCallerGone } from './answer-size.ts'
import { ConnectionPool, SignIns } from './connection-pool.ts'

/** Timeouts for connecting and for one statement, in milliseconds. */
const connectTime = 5000
const statementTime = 30_000
const preparedStatements = 2000

/** Errors after which a connection is unusable. */
const fatalKinds: readonly DatabaseErrorKind[] = [
  'refused',
  'noDatabase',
  'unavailable',
  'tooLarge',
  'needsSlot',
  'gone',
]

/** Opens MySQL or MariaDB. A broken connection fails its running statements; the next call gets a new one. */
export function openMysql(server: DatabaseServer, signIns = new SignIns()): Driver {
  const pool = poolFor(server, signIns)
  return {
    dialect: 'mysql',
    query: (statement, scope) =>
      pool.use(connection => {
        scope?.requireCaller()
        return run(connection, statement, scope)
      }),
    transaction: work => pool.use(connection => transaction(connection, work)),
    check: () =>
      pool.use(async connection => {
        await run(connection, { text: 'SELECT 1', parameters: [] })
      }),
    close: () => pool.close(),
  }
}

/** A connection and its interface with promises. */
type Client = { readonly core: Core; readonly promise: Connection }

function poolFor(server: DatabaseServer, signIns: SignIns): ConnectionPool<Client> {
  const config: mysql.ConnectionOptions = {
    host: server.host,
    port: server.port,
    database: server.database,
    user: server.username,
    password: server.password,
    charset: 'utf8mb4',
    timezone: 'Z',
    connectTimeout: connectTime,
    maxPreparedStatements: preparedStatements,
    rowsAsArray: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    // Prevents the server from requesting local files.
    flags: ['-LOCAL_FILES'],
  }
  const connector = {
    async connect(lost: () => void, late: AbortSignal) {
      const core = mysql.createConnection(config)
      late.addEventListener('abort', () => core.destroy())
      // Without a listener, a packet that the driver does not expect would end the process.
      core.on('error', lost)
      const socket = socketOf(core)
      if (socket !== null) beginSignIn(socket)
      // Not at the event `end`: if it is closed before its socket, the driver leaves running statements without an answer.
      socket?.once('close', lost)
      const client = { core, promise: core.promise() }
      try {
        await once(core, 'connect')
        await startSession(client)
        return client
      } catch (error) {
        core.destroy()
        throw connectError(failure(error))
      }
    },
    disconnect: ({ core }: Client) => core.destroy(),
    // Other errors are thrown after the rollback, so the connection is usable.
    isReusable: (error: unknown) => !(error instanceof DatabaseError) || !fatalKinds.includes(error.kind),
  }
  return new ConnectionPool(connector, signIns)
}

async function startSession({ promise }: Client): Promise<void> {
  try {
    for (const text of databases.mysql.run.queries.session) await promise.query(text)
  } catch (error) {
    throw new DatabaseError('unavailable', error)
  }
}

async function transaction<T>(
  connection: Client,
  work: (connection: { query: Driver['query'] }) => Promise<T>,
): Promise<T> {
  await run(connection, { text: 'START TRANSACTION', parameters: [] })
  try {
    const result = await work({ query: (statement, scope) => run(connection, statement, scope) })
    await run(connection, { text: 'COMMIT', parameters: [] })
    return result
  } catch (error) {
    await connection.promise.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** Statements without parameters are not prepared, because DDL and transaction statements cannot be. */
async function run(connection: Client, { text, parameters }: SqlStatement, scope?: AnswerScope): Promise<SqlResult> {
  beginAnswer(socketOf(connection.core), scope)
  const stop = scope && onCallerGone(scope, () => disconnect(connection))
  const options = { sql: text, rowsAsArray: true, timeout: statementTime }
  try {
    const [result] =
      parameters.length === 0
        ? await connection.promise.query<SqlValue[][] & RowDataPacket[][]>(options)
        : await connection.promise.execute<SqlValue[][] & RowDataPacket[][]>(options, parameters.map(sendable))
    return resultOf(result)
  } catch (error) {
    throw failure(error)
  } finally {
    stop?.()
  }
}

/** The server notices at the next row it sends. */
function disconnect({ core }: Client): void {
  socketOf(core)?.destroy(answerRefused('gone'))
}

function socketOf(core: Core): Socket | null {
  return 'stream' in core && core.stream instanceof Socket ? core.stream : null
}

function resultOf(result: SqlValue[][] | ResultSetHeader): SqlResult {
  if (Array.isArray(result)) return { rows: result, changes: result.length }
  return { rows: [], changes: result.affectedRows }
}

const failure = failureBy(kindOf)

const kindByNumber = kindsByNumber({
  unique: [1062, 1586],
  foreignKey: [1216, 1217, 1451, 1452],
  check: [3819, 4025],
  notNull: [1048, 1364],
  value: [1118, 1264, 1265, 1292, 1301, 1366, 1406, 1411, 1690, 3140],
  // 1020: a record was changed since the snapshot, which newer releases of MariaDB refuse to overwrite.
  contended: [1020, 1205, 1213],
  full: [1021, 1114],
  noDatabase: [1049],
  // Wrong user or password, host not allowed, locked or expired account.
  refused: [1045, 1129, 1130, 1251, 1698, 1820, 1862, 3118, 3955, 4151],
  // No privilege for the database, a table, a column, a routine; 1227: for the server.
  privilege: [1044, 1142, 1143, 1227, 1370],
  // Shutdown, too many connections, timeouts.
  unavailable: [1040, 1041, 1053, 1203, 1226, 1317, 1927, 1969, 3024],
})

function kindOf(error: unknown): DatabaseErrorKind {
  if (!(error instanceof Error)) return 'other'
  const kind = 'errno' in error ? kindByNumber(error.errno) : undefined
  if (kind !== undefined) return kind
  // Codes of the network, and of the driver for lost connections.
  const code = 'code' in error ? String(error.code) : ''
  return /^(?:E[A-Z]+|EAI_[A-Z]+|PROTOCOL_[A-Z_]+)$/.test(code) && !code.startsWith('ER_') ? 'unavailable' : 'other'
}
