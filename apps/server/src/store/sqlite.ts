import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { sqliteFailure } from './failures.ts'

const maxStatements = 300

/**
 * Adapts `node:sqlite` to Kysely's SQLite dialect, with a cache of prepared statements. WAL, every commit synced to
 * disk, foreign keys on.
 */
export function openSqlite(file: string, options: { readOnly?: boolean } = {}): SqliteDatabase {
  const database = new DatabaseSync(file, { readOnly: options.readOnly ?? false })
  database.exec('PRAGMA busy_timeout = 5000')
  if (!options.readOnly) {
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -32000',
    )
  }
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => database.close(),
    prepare(sql) {
      const cached = statements.get(sql)
      if (cached) return cached
      const statement = sql === 'rollback' ? rollbackOf(database) : adapt(translateErrors(() => database.prepare(sql)))
      if (statements.size >= maxStatements) statements.clear()
      statements.set(sql, statement)
      return statement
    },
  }
}

/** Discards the cached schema and statistics of a connection; the next statement loads them again. */
export function reloadSchema(database: SqliteDatabase): void {
  database.prepare('pragma writable_schema = reset').run([])
}

function adapt(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: parameters => translateErrors(() => statement.all(...values(parameters))),
    run: parameters => translateErrors(() => statement.run(...values(parameters))),
    iterate: parameters => statement.iterate(...values(parameters)),
  }
}

/** A full disk already rolls the transaction back, and its error must not be hidden by a failed rollback. */
function rollbackOf(database: DatabaseSync): SqliteStatement {
  const nothing = { changes: 0, lastInsertRowid: 0 }
  return {
    reader: false,
    all: () => [],
    run: () => (database.isTransaction ? translateErrors(() => database.prepare('rollback').run()) : nothing),
    iterate: () => [].values(),
  }
}

function translateErrors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw sqliteFailure(error) ?? error
  }
}

function values(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map(value => {
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
      return value
    throw new TypeError(`The store does not support values of type ${typeof value}.`)
  })
}
