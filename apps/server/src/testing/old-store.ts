import { startPostgres } from '@cadmus/testing/postgres'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import { join } from 'node:path'
import pg from 'pg'
import type { StoreSettings } from '../store/database.ts'
import { openSqlite } from '../store/sqlite.ts'

/** Creates a store for testing migrations; `ends` collects the functions that remove it. */
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

/** A handle without the guard and current row types. */
export function plain(settings: StoreSettings): Kysely<unknown> {
  if (settings.kind === 'sqlite')
    return new Kysely({ dialect: new SqliteDialect({ database: openSqlite(settings.file) }) })
  const pool = new pg.Pool({ connectionString: settings.url })
  // Dropping the database breaks connections that are still closing; without listeners that would fail the run.
  pool.on('connect', client => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}
