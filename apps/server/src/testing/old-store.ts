import { startPostgres } from '@cadmus/testing/postgres'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import { join } from 'node:path'
import pg from 'pg'
import type { StoreSettings } from '../store/database.ts'
import { openSqlite } from '../store/sqlite.ts'

/** Where a migration can be tried; `ends` gets what removes it. */
export async function emptyStore(
  kind: 'sqlite' | 'postgres',
  ends: (() => Promise<void> | void)[],
): Promise<StoreSettings> {
  if (kind === 'sqlite') {
    const folder = temporaryFolder('migration')
    ends.push(() => removeFolder(folder))
    return { kind, file: join(folder, 'store.sqlite') }
  }
  const database = await (await startPostgres()).createDatabase()
  ends.push(() => database.drop())
  return { kind, url: database.url }
}

/** A handle without the guard, whose tables are those of then. */
export function plain(settings: StoreSettings): Kysely<unknown> {
  if (settings.kind === 'sqlite')
    return new Kysely({ dialect: new SqliteDialect({ database: openSqlite(settings.file) }) })
  const pool = new pg.Pool({ connectionString: settings.url })
  // The database is dropped while the last connection is still saying goodbye: it is told so, and nobody listens any more.
  pool.on('connect', client => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}
