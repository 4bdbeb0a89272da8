import { sqliteFunctions, sqliteSum } from '@cadmus/sql/queries/sqlite-functions'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { DatabaseError, type DatabaseErrorKind, type Driver, type SqlRow, type SqlStatement } from './driver.ts'

/** Prepared statements kept on a connection, by their texts. */
const keptStatements = 2000

/**
 * The embedded database: a file with two connections of this process. One writes, a transaction at a time and every commit synced to
 * the disk; the other answers what is asked outside of transactions, and never waits. Statements are synchronous: the lists of a
 * package are bounded, and so are they.
 */
export function openSqlite(file: string): Driver {
  mkdirSync(dirname(file), { recursive: true })
  const writer = connect(file)
  const reader = connect(file)
  reader.database.exec('PRAGMA query_only = ON')
  let last: Promise<unknown> = Promise.resolve()
  /** Waits for the transaction before, and lets nobody in before its own end. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
  return {
    dialect: 'sqlite',
    query: async statement =>
      isReading(statement.text) ? reader.run(statement) : inTurn(async () => writer.run(statement)),
    transaction: work => inTurn(() => transaction(writer, work)),
    reshape: (work, beforeCommit) => inTurn(() => reshape(writer, work, beforeCommit)),
    check: async () => {
      reader.run({ text: 'SELECT 1', parameters: [] })
    },
    close: () =>
      inTurn(async () => {
        reader.database.close()
        writer.database.close()
      }),
  }
}

type Connection = ReturnType<typeof connect>

function connect(file: string) {
  const database = told(() => open(file))
  const kept = new Map<string, StatementSync>()
  const prepared = (text: string): StatementSync => {
    const known = kept.get(text)
    if (known) return known
    const statement = database.prepare(text)
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
    if (kept.size >= keptStatements) kept.clear()
    kept.set(text, statement)
    return statement
  }
  return {
    database,
    run({ text, parameters }: SqlStatement) {
      return told(() => {
        const statement = prepared(text)
        const values = parameters.map(bindable)
        if (statement.columns().length === 0) return { rows: [], changes: Number(statement.run(...values).changes) }
        const rows = statement.all(...values)
        return { rows: rows.map(rowOf), changes: rows.length }
      })
    },
  }
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  database.exec(
    'PRAGMA busy_timeout = 1000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -16000',
  )
  // What SQLite lacks of exact decimals and of letters beyond ASCII, as the dialect's texts call it.
  for (const [name, work] of Object.entries(sqliteFunctions)) {
    database.function(name, { deterministic: true }, value => work(textOf(value)))
  }
  const { name, start, step } = sqliteSum
  database.aggregate(name, { start: start, step: (sum, value) => step(textOf(sum), textOf(value)) })
  return database
}

function textOf(value: SQLInputValue): string | null {
  return value === null ? null : String(value)
}

async function transaction<T>(
  { database, run }: Connection,
  work: (connection: { query: Driver['query'] }) => Promise<T>,
): Promise<T> {
  told(() => database.exec('BEGIN IMMEDIATE'))
  try {
    const result = await work({ query: async statement => run(statement) })
    told(() => database.exec('COMMIT'))
    return result
  } catch (error) {
    // A full disk ends a transaction by itself.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** A dropped table would take with it what refers to it; between the statements others are answered. */
async function reshape<T>(
  writer: Connection,
  work: (connection: { query: Driver['query'] }) => Promise<T>,
  beforeCommit: () => void,
): Promise<T> {
  told(() => writer.database.exec('PRAGMA foreign_keys = OFF'))
  try {
    return await transaction(writer, async ({ query }) => {
      const result = await work({ query: statement => setImmediate().then(() => query(statement)) })
      const lost = await query({ text: 'SELECT 1 FROM pragma_foreign_key_check LIMIT 1', parameters: [] })
      if (lost.rows.length > 0) throw new DatabaseError('foreignKey', new Error('Foreign keys do not hold.'))
      beforeCommit()
      return result
    })
  } finally {
    writer.database.exec('PRAGMA foreign_keys = ON')
  }
}

/** Rows are lists, as `setReturnArrays` says; the types of the module know records only. */
function rowOf(row: unknown): SqlRow {
  return Array.isArray(row) ? row : []
}

/** What reads begins so; what begins so and writes all the same is refused by the connection that answers it. */
function isReading(text: string): boolean {
  return /^\s*(?:SELECT|VALUES|WITH)\b/i.test(text)
}

function bindable(value: SqlStatement['parameters'][number]): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : value
}

function told<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof DatabaseError ? error : new DatabaseError(kindOf(error), error)
  }
}

/** Extended result codes of constraints, then primary ones. */
const kinds: Readonly<Record<number, DatabaseErrorKind>> = {
  275: 'check',
  787: 'foreignKey',
  1299: 'notNull',
  1555: 'unique',
  2067: 'unique',
  2579: 'unique',
  3091: 'value',
  5: 'unavailable',
  6: 'unavailable',
  7: 'unavailable',
  8: 'unavailable',
  10: 'unavailable',
  11: 'unavailable',
  13: 'unavailable',
  14: 'unavailable',
  18: 'value',
  20: 'value',
  26: 'unavailable',
}

function kindOf(error: unknown): DatabaseErrorKind {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return 'other'
  return kinds[error.errcode] ?? kinds[error.errcode & 0xff] ?? 'other'
}
