import { sqliteFunctions, sqliteSum } from '@cadmus/sql/queries/sqlite-functions'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { DatabaseError, type DatabaseErrorKind, type SqlResult, type SqlRow, type SqlStatement } from './driver.ts'
import { bytesOf, type RowIntake } from './intake.ts'

/** Prepared statements kept on a connection, by their texts. */
const keptStatements = 2000

export type Connection = {
  readonly database: DatabaseSync
  run(asked: SqlStatement): SqlResult
  /** A query, as far as the intake takes its rows. */
  read(asked: SqlStatement, intake: RowIntake): SqlResult
  /** What `run` answers, in parts of about so many bytes. */
  parts(asked: SqlStatement, size: number): Generator<SqlResult, SqlResult>
}

/** One connection to a file, as the dialect's texts need it. `largest`: bytes of a value. Throws `DatabaseError`s, but for parts. */
export function connect(file: string, largest?: number): Connection {
  const database = told(() => open(file, largest))
  const kept = new Map<string, StatementSync>()
  const run = ({ text, parameters }: SqlStatement): SqlResult => {
    const statement = prepared(database, kept, text)
    const values = parameters.map(bindable)
    if (statement.columns().length === 0) return { rows: [], changes: Number(statement.run(...values).changes) }
    const rows = statement.all(...values)
    return { rows: rows.map(rowOf), changes: rows.length }
  }
  const rowsOf = function* ({ text, parameters }: SqlStatement): Generator<SqlRow> {
    try {
      for (const row of prepared(database, kept, text).iterate(...parameters.map(bindable))) yield rowOf(row)
    } catch (error) {
      // One that failed in the middle would fail once more the next time.
      kept.delete(text)
      throw error
    }
  }
  return {
    database,
    run: asked => told(() => run(asked)),
    read: (asked, intake) =>
      told(() => {
        for (const row of rowsOf(asked)) intake.take(row)
        return { rows: intake.rows, changes: intake.rows.length }
      }),
    *parts(asked, size) {
      const hasRows = prepared(database, kept, asked.text).columns().length > 0
      return hasRows ? yield* inParts(rowsOf(asked), size) : run(asked)
    },
  }
}

function prepared(database: DatabaseSync, kept: Map<string, StatementSync>, text: string): StatementSync {
  const known = kept.get(text)
  if (known) return known
  const statement = database.prepare(text)
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  if (kept.size >= keptStatements) kept.clear()
  kept.set(text, statement)
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
    // It is tried again and again, and each would keep the file open.
    database.close()
    throw error
  }
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

/** Rows are lists, as `setReturnArrays` says; the types of the module know records only. */
function rowOf(row: unknown): SqlRow {
  return Array.isArray(row) ? row : []
}

function bindable(value: SqlStatement['parameters'][number]): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : value
}

/** What the database throws as a `DatabaseError`. */
export function told<T>(work: () => T): T {
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
