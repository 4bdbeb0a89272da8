import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely'
import { startSlice, yieldToEventLoop } from '../event-loop.ts'
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
function reloadSchema(database: SqliteDatabase): void {
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

const inMemory = ':memory:'

/**
 * A single file with two connections: one writes, one transaction at a time; the other serves all reads outside
 * transactions. Readers see committed data and never wait for a transaction; other queries run between its statements.
 */
export function sqliteDialect(file: string, { readOnly = false } = {}): Dialect & { migrated: () => void } {
  // The writer comes first, because a read-only connection cannot create the file.
  const writer = readOnly ? null : openSqlite(file)
  // An in-memory database has only one connection.
  const reader = writer !== null && file === inMemory ? writer : openSqlite(file, { readOnly: true })
  return {
    /** Reloads the statistics set by the migrations, which the open connections have not seen. */
    migrated() {
      for (const database of new Set([reader, writer ?? reader])) reloadSchema(database)
    },
    createDriver: () => new SharedDriver(reader, writer),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SharedAdapter(),
    createIntrospector: db => new SqliteIntrospector(db),
  }
}

class SharedAdapter extends SqliteAdapter {
  /** The driver does its own locking. */
  override get supportsMultipleConnections(): boolean {
    return true
  }

  /** Migrations run in one transaction: a start that is interrupted leaves the store as it was. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class SharedDriver implements Driver {
  readonly #reading: SqliteDriver
  readonly #writing: SqliteDriver
  #writeQueue: Promise<void> = Promise.resolve()

  constructor(reader: SqliteDatabase, writer: SqliteDatabase | null) {
    this.#reading = new SqliteDriver({ database: reader })
    this.#writing = writer === null || writer === reader ? this.#reading : new SqliteDriver({ database: writer })
  }

  async init(): Promise<void> {
    await this.#reading.init()
    if (this.#writing !== this.#reading) await this.#writing.init()
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const reader = await this.#reading.acquireConnection()
    const writer = await this.#writing.acquireConnection()
    return new SharedConnection({ reader, writer }, () => this.#lock())
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await shared(connection).begin()
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await shared(connection).end('commit')
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await shared(connection).end('rollback')
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    shared(connection).release()
  }

  /** Closes the reader first, because the last connection checkpoints the file. */
  async destroy(): Promise<void> {
    await this.#reading.destroy()
    if (this.#writing !== this.#reading) await this.#writing.destroy()
  }

  /** Waits for the write lock; returns the function that releases it. */
  async #lock(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#writeQueue
    this.#writeQueue = promise
    await before
    return resolve
  }
}

function shared(connection: DatabaseConnection): SharedConnection {
  if (!(connection instanceof SharedConnection)) throw new TypeError('The connection belongs to another store.')
  return connection
}

/** A caller's connection: reads concurrently until it begins a transaction. */
class SharedConnection implements DatabaseConnection {
  readonly #both: { reader: DatabaseConnection; writer: DatabaseConnection }
  readonly #lock: () => Promise<() => void>
  /** Releases the write lock; set within a transaction. */
  #unlock: (() => void) | null = null

  constructor(both: { reader: DatabaseConnection; writer: DatabaseConnection }, lock: () => Promise<() => void>) {
    this.#both = both
    this.#lock = lock
  }

  async begin(): Promise<void> {
    this.#unlock = await this.#lock()
    await this.#both.writer.executeQuery(CompiledQuery.raw('begin'))
  }

  /** A rollback follows a failed commit, so the lock is held until the connection is released. */
  async end(how: 'commit' | 'rollback'): Promise<void> {
    await this.#both.writer.executeQuery(CompiledQuery.raw(how))
  }

  release(): void {
    this.#unlock?.()
    this.#unlock = null
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    startSlice()
    const result = await this.#run<R>(query)
    await yieldToEventLoop()
    return result
  }

  async #run<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { reader, writer } = this.#both
    if (this.#unlock !== null) return writer.executeQuery(query)
    if (SelectQueryNode.is(query.query)) return reader.executeQuery(query)
    const unlock = await this.#lock()
    try {
      return await writer.executeQuery(query)
    } finally {
      unlock()
    }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('The embedded store does not stream.')
  }
}
