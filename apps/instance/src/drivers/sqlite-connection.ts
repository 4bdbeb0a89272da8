import { sqliteFunctions, sqliteSum } from '@cadmus/sql/queries/sqlite-functions'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { DatabaseError, type DatabaseErrorKind, type SqlResult, type SqlRow, type SqlStatement } from './driver.ts'
import { bytesOf, type RowCollector } from './answer-size.ts'

/** Maximum number of cached statements per connection. */
const maxStatements = 2000

export type Connection = {
  readonly database: DatabaseSync
  run(statement: SqlStatement): SqlResult
  /** Runs a query and collects its rows. */
  read(statement: SqlStatement, collector: RowCollector): SqlResult
  /** Like `run`, but collects rows, so that it stops at the limit. */
  runCounted(statement: SqlStatement, collector: RowCollector): SqlResult
  /** Like `run`, but yields rows in parts of about `size` bytes. */
  parts(statement: SqlStatement, size: number): Generator<SqlResult, SqlResult>
}

/**
 * Opens a connection with the functions of the dialect. `largest`: the maximum bytes of a value. Throws
 * `DatabaseError`s, except in `parts`.
 */
export function connect(file: string, largest?: number): Connection {
  const database = wrapErrors(() => open(file, largest))
  const statements = new Map<string, StatementSync>()
  const run = ({ text, parameters }: SqlStatement): SqlResult => {
    const statement = prepared(database, statements, text)
    const values = parameters.map(bindable)
    if (statement.columns().length === 0) return { rows: [], changes: Number(statement.run(...values).changes) }
    const rows = statement.all(...values)
    return { rows: rows.map(rowOf), changes: rows.length }
  }
  const rowsOf = function* ({ text, parameters }: SqlStatement): Generator<SqlRow> {
    try {
      for (const row of prepared(database, statements, text).iterate(...parameters.map(bindable))) yield rowOf(row)
    } catch (error) {
      // A statement that failed during iteration would fail again.
      statements.delete(text)
      throw error
    }
  }
  const read = (statement: SqlStatement, collector: RowCollector): SqlResult => {
    for (const row of rowsOf(statement)) collector.take(row)
    return { rows: collector.rows, changes: collector.rows.length }
  }
  const hasRows = ({ text }: SqlStatement) => prepared(database, statements, text).columns().length > 0
  return {
    database,
    run: statement => wrapErrors(() => run(statement)),
    read: (statement, collector) => wrapErrors(() => read(statement, collector)),
    runCounted: (statement, collector) =>
      wrapErrors(() => (hasRows(statement) ? read(statement, collector) : run(statement))),
    *parts(statement, size) {
      return hasRows(statement) ? yield* inParts(rowsOf(statement), size) : run(statement)
    },
  }
}

function prepared(database: DatabaseSync, statements: Map<string, StatementSync>, text: string): StatementSync {
  const cached = statements.get(text)
  if (cached) return cached
  const statement = database.prepare(text)
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  if (statements.size >= maxStatements) statements.clear()
  statements.set(text, statement)
  return statement
}

function* inParts(all: Iterable<SqlRow>, size: number): Generator<SqlResult, SqlResult> {
  let rows: SqlRow[] = []
  let bytes = 0
  for (const row of all) {
    rows.push(row)
    bytes += bytesOf(row)
    if (bytes < size) continue
    yield { rows, changes: rows.length }
    rows = []
    bytes = 0
  }
  return { rows, changes: rows.length }
}

function open(file: string, largest: number | undefined): DatabaseSync {
  const database = new DatabaseSync(file, largest === undefined ? {} : { limits: { length: largest } })
  try {
    database.exec(
      'PRAGMA busy_timeout = 1000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -16000',
    )
  } catch (error) {
    // Retries would otherwise leave open files.
    database.close()
    throw error
  }
  // Adds functions for exact decimals and Unicode case folding, which SQLite lacks.
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

/** Rows are arrays because of `setReturnArrays`; the type declarations do not reflect it. */
function rowOf(row: unknown): SqlRow {
  return Array.isArray(row) ? row : []
}

function bindable(value: SqlStatement['parameters'][number]): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : value
}

/** Converts errors of the database to `DatabaseError`s. */
export function wrapErrors<T>(work: () => T): T {
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
  13: 'full',
  14: 'unavailable',
  18: 'tooLarge',
  20: 'value',
  26: 'unavailable',
}

function kindOf(error: unknown): DatabaseErrorKind {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return 'other'
  return kinds[error.errcode] ?? kinds[error.errcode & 0xff] ?? 'other'
}
