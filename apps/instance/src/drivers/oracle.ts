import { queryDialects } from '@cadmus/sql/queries/query-dialects'
import { callbackify } from 'node:util'
import oracledb, { type Connection, type Pool, type ResultSet } from 'oracledb'
import type { AnswerScope } from '../request-scope.ts'
import {
  DatabaseError,
  type DatabaseErrorKind,
  type Driver,
  type SqlResult,
  type SqlRow,
  type SqlStatement,
  type SqlValue,
} from './driver.ts'
import { notTaken, RowIntake, untilGone } from './intake.ts'
import type { DatabaseServer } from './settings.ts'

const connections = 10
/** To be connected (in seconds), to wait for a free connection and for one statement (in milliseconds). */
const connectTime = 5
const waitTime = 5000
const statementTime = 30_000
/** A row may have megabytes. */
const rowsAtOnce = 20

/** What leaves a connection in doubt: a cancellation may meet the next statement. */
const spoiling: readonly DatabaseErrorKind[] = ['unavailable', 'gone']

/** Oracle in the driver's thin mode, which needs nothing of Oracle on this machine. */
export function openOracle(server: DatabaseServer): Driver {
  let opened: Promise<Pool> | undefined
  const pool = () => (opened ??= poolFor(server))
  const query: Driver['query'] = (statement, scope) =>
    withConnection(pool, connection => {
      scope?.requireCaller()
      return run(connection, statement, true, scope)
    })
  return {
    dialect: 'oracle',
    query,
    transaction: work => withConnection(pool, connection => transaction(connection, work)),
    check: async () => {
      await query({ text: 'SELECT 1 FROM DUAL', parameters: [] })
    },
    close: async () => {
      if (opened !== undefined) await (await opened).close(0)
    },
  }
}

function poolFor({ host, port, database, username, password }: DatabaseServer): Promise<Pool> {
  const address = `(ADDRESS=(PROTOCOL=TCP)(HOST=${host})(PORT=${port}))`
  return oracledb.createPool({
    user: username,
    password,
    connectString: `(DESCRIPTION=(CONNECT_TIMEOUT=${connectTime})${address}(CONNECT_DATA=(SID=${database})))`,
    poolMin: 0,
    poolMax: connections,
    queueTimeout: waitTime,
    sessionCallback: (connection: Connection, _tag: string, done: (error: Error | null) => void) =>
      callbackify(prepare)(connection, done),
  })
}

async function prepare(connection: Connection): Promise<void> {
  connection.callTimeout = statementTime
  for (const text of queryDialects.oracle.session) await connection.execute(text, [], {})
}

async function withConnection<T>(pool: () => Promise<Pool>, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await pool()
    .then(opened => opened.getConnection())
    .catch((error: unknown) => {
      const reason = failure(error)
      throw reason.kind === 'refused' ? reason : new DatabaseError('unavailable', error)
    })
  let isSound = false
  try {
    const result = await work(connection)
    isSound = true
    return result
  } catch (error) {
    // What is none of the database's is thrown when all is taken back.
    isSound = !(error instanceof DatabaseError) || !spoiling.includes(error.kind)
    throw error
  } finally {
    await connection.close({ drop: !isSound }).catch(() => undefined)
  }
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
  const intake = new RowIntake(scope)
  let isGone = false
  const over =
    scope &&
    untilGone(scope, () => {
      isGone = true
      // What is over by then is not changed by it.
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
    if (resultSet) await takeAll(resultSet, intake)
    else if (key.length > 0) intake.take(rowOf(outBinds?.[0] ?? []))
    return { rows: intake.rows, changes: rowsAffected ?? 0 }
  } catch (error) {
    intake.giveBack()
    throw isGone ? notTaken('gone') : failure(error)
  } finally {
    over?.()
  }
}

/** Rows are asked for in parts, and of those that are too many no more is asked for. */
async function takeAll(resultSet: ResultSet, intake: RowIntake): Promise<void> {
  try {
    for (let rows = await resultSet.getRows(rowsAtOnce); rows.length > 0; rows = await resultSet.getRows(rowsAtOnce)) {
      for (const row of rows) intake.take(rowOf(row))
    }
  } finally {
    await resultSet.close()
  }
}

/** Long texts come whole, and not as something that has to be asked for them. */
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

function sendable(value: SqlValue): string | number | null | Buffer {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'boolean') return Number(value)
  return value instanceof Uint8Array ? Buffer.from(value) : value
}

function failure(error: unknown): DatabaseError {
  return error instanceof DatabaseError ? error : new DatabaseError(kindOf(error), error)
}

const numbers: Readonly<Record<number, DatabaseErrorKind>> = {
  1: 'unique',
  2291: 'foreignKey',
  2292: 'foreignKey',
  2290: 'check',
  1400: 'notNull',
  1407: 'notNull',
  1426: 'value',
  1438: 'value',
  1722: 'value',
  1830: 'value',
  1841: 'value',
  1843: 'value',
  1847: 'value',
  1861: 'value',
  12899: 'value',
  54: 'contended',
  60: 'contended',
  8177: 'contended',
  // A wrong name or password, no right to a session, a locked or expired account.
  1017: 'refused',
  1045: 'refused',
  28000: 'refused',
  28001: 'refused',
  28003: 'refused',
}

/**
 * Unavailable: the driver's own errors (NJS-…), of the network (ORA-12…; also a database that the listener does not know, as when it starts), of
 * a session that was ended, and of a full disk.
 */
function kindOf(error: unknown): DatabaseErrorKind {
  if (!(error instanceof Error)) return 'other'
  const known = 'errorNum' in error ? numbers[Number(error.errorNum)] : undefined
  if (known !== undefined) return known
  return /^(?:NJS-|ORA-(?:12[1-6]\d\d|0?1(?:012|033|034|089|653|654)|031[13][345]|00028|01653):?)/.test(error.message)
    ? 'unavailable'
    : 'other'
}
