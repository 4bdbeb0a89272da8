import { databases } from '@cadmus/sql/databases'
import oracledb, { type Connection, type ResultSet } from 'oracledb'
import type { AnswerScope } from '../request-scope.ts'
import {
  connectError,
  DatabaseError,
  type DatabaseErrorKind,
  type DatabaseServer,
  type Driver,
  failureBy,
  isSignInError,
  kindsByNumber,
  sendable,
  type SqlResult,
  type SqlRow,
  type SqlStatement,
} from './driver.ts'
import { answerRefused, RowCollector, onCallerGone } from './answer-size.ts'
import { ConnectionPool, SignIns } from './connection-pool.ts'

/** Timeouts for connecting (seconds) and for one statement (milliseconds). */
const connectTime = 5
const statementTime = 30_000
/** Few, because a row may have megabytes. */
const rowsAtOnce = 20

/** Errors after which a connection is dropped: a late cancellation could hit the next statement. */
const fatalKinds: readonly DatabaseErrorKind[] = ['unavailable', 'gone']

/** Opens Oracle in the thin mode of the driver, which needs no Oracle client. */
export function openOracle(server: DatabaseServer, signIns = new SignIns()): Driver {
  const pool = poolFor(server, signIns)
  const query: Driver['query'] = (statement, scope) =>
    pool.use(connection => {
      scope?.requireCaller()
      return run(connection, statement, true, scope)
    })
  return {
    dialect: 'oracle',
    query,
    transaction: work => pool.use(connection => transaction(connection, work)),
    check: async () => {
      await query({ text: 'SELECT 1 FROM DUAL', parameters: [] })
    },
    close: () => pool.close(),
  }
}

function poolFor({ host, port, database, username, password }: DatabaseServer, signIns: SignIns) {
  const address = `(ADDRESS=(PROTOCOL=TCP)(HOST=${host})(PORT=${port}))`
  const connectString = `(DESCRIPTION=(CONNECT_TIMEOUT=${connectTime})${address}(CONNECT_DATA=(SID=${database})))`
  const connector = {
    async connect() {
      try {
        const connection = await oracledb.getConnection({ user: username, password, connectString })
        connection.callTimeout = statementTime
        await startSession(connection).catch((error: unknown) => {
          connector.disconnect(connection)
          throw error
        })
        return connection
      } catch (error) {
        const reason = connectError(failure(error))
        throw isSignInError(reason) ? reason : new DatabaseError('unavailable', error)
      }
    },
    disconnect: (connection: Connection) => void connection.close().catch(() => undefined),
    // Other errors are thrown after the rollback, so the connection is usable.
    isReusable: (error: unknown) => !(error instanceof DatabaseError) || !fatalKinds.includes(error.kind),
    // The driver does not report lost connections.
    async isAlive(connection: Connection) {
      connection.callTimeout = connectTime * 1000
      const isAlive =
        connection.isHealthy() &&
        (await connection.ping().then(
          () => true,
          () => false,
        ))
      connection.callTimeout = statementTime
      return isAlive
    },
  }
  return new ConnectionPool<Connection>(connector, signIns)
}

async function startSession(connection: Connection): Promise<void> {
  for (const text of databases.oracle.run.queries.session) await connection.execute(text, [], {})
}

async function transaction<T>(
  connection: Connection,
  work: (connection: { query: Driver['query'] }) => Promise<T>,
): Promise<T> {
  try {
    const result = await work({ query: (statement, scope) => run(connection, statement, false, scope) })
    await connection.commit().catch((error: unknown) => {
      throw failure(error)
    })
    return result
  } catch (error) {
    await connection.rollback().catch(() => undefined)
    throw error
  }
}

async function run(
  connection: Connection,
  { text, parameters, answers }: SqlStatement,
  autoCommit: boolean,
  scope?: AnswerScope,
): Promise<SqlResult> {
  const key = answers === 'key' ? [{ dir: oracledb.BIND_OUT, type: oracledb.NUMBER }] : []
  const intake = new RowCollector(scope)
  let isGone = false
  const stop =
    scope &&
    onCallerGone(scope, () => {
      isGone = true
      // Finished statements are unaffected.
      connection.breakExecution().catch(() => undefined)
    })
  try {
    const { resultSet, rowsAffected, outBinds } = await connection.execute(
      text,
      [...parameters.map(sendable), ...key],
      {
        autoCommit,
        resultSet: true,
        fetchArraySize: rowsAtOnce,
        outFormat: oracledb.OUT_FORMAT_ARRAY,
        fetchTypeHandler: ({ dbType }: { dbType: unknown }) => (isText(dbType) ? { type: oracledb.STRING } : undefined),
      },
    )
    if (resultSet) await fetchAll(resultSet, intake)
    else if (key.length > 0) intake.take(rowOf(outBinds?.[0] ?? []))
    // The cancellation may still hit the next statement.
    if (isGone) throw answerRefused('gone')
    return { rows: intake.rows, changes: rowsAffected ?? 0 }
  } catch (error) {
    intake.uncount()
    throw isGone ? answerRefused('gone') : failure(error)
  } finally {
    stop?.()
  }
}

/** Fetches rows in batches until the limit. */
async function fetchAll(resultSet: ResultSet, intake: RowCollector): Promise<void> {
  try {
    for (let rows = await resultSet.getRows(rowsAtOnce); rows.length > 0; rows = await resultSet.getRows(rowsAtOnce)) {
      for (const row of rows) intake.take(rowOf(row))
    }
  } finally {
    await resultSet.close()
  }
}

/** CLOBs are fetched as strings instead of as LOB objects. */
function isText(type: unknown): boolean {
  return type === oracledb.DB_TYPE_CLOB || type === oracledb.DB_TYPE_NCLOB
}

function rowOf(values: readonly unknown[]): SqlRow {
  return values.map(value => {
    if (value === null || value === undefined) return null
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
    return value instanceof Uint8Array ? value : String(value)
  })
}

const failure = failureBy(kindOf)

const kindByNumber = kindsByNumber({
  unique: [1],
  foreignKey: [2291, 2292],
  check: [2290],
  notNull: [1400, 1407],
  value: [1426, 1438, 1722, 1830, 1841, 1843, 1847, 1861, 12899],
  contended: [54, 60, 8177],
  privilege: [1031, 1950],
  // Wrong user or password, no session privilege, locked or expired account.
  refused: [1017, 1045, 28000, 28001, 28003],
})

/**
 * `unavailable`: errors of the driver (NJS-…), of the network (ORA-12…; also for a database that is starting), of ended
 * sessions, and of a full disk.
 */
function kindOf(error: unknown): DatabaseErrorKind {
  if (!(error instanceof Error)) return 'other'
  const kind = 'errorNum' in error ? kindByNumber(error.errorNum) : undefined
  if (kind !== undefined) return kind
  return /^(?:NJS-|ORA-(?:12[1-6]\d\d|0?1(?:012|033|034|089|653|654)|031[13][345]|00028|01653):?)/.test(error.message)
    ? 'unavailable'
    : 'other'
}
