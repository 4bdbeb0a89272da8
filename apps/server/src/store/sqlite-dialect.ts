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
} from 'kysely'
import { startSlice, yieldToEventLoop } from '../event-loop.ts'
import { openSqlite, reloadSchema } from './sqlite.ts'

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
