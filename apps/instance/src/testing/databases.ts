import { postgresAvailability } from '@cadmus/testing/availability'
import { startPostgres } from '@cadmus/testing/postgres'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { join } from 'node:path'
import type { DatabaseServer, DatabaseSettings } from '../drivers/settings.ts'

export type TestDatabase = { readonly settings: DatabaseSettings; drop(): Promise<void> }

/** Databases that packages run on here; each call of `create` makes an empty one. */
export const testDatabases: readonly { name: string; present: boolean; create(): Promise<TestDatabase> }[] = [
  { name: 'SQLite', present: true, create: createSqlite },
  { name: 'PostgreSQL', present: postgresAvailability().present, create: createPostgres },
]

async function createSqlite(): Promise<TestDatabase> {
  const folder = temporaryFolder('instance-sqlite')
  return {
    settings: { dialect: 'sqlite', file: join(folder, 'data', 'test.sqlite') },
    drop: async () => removeFolder(folder),
  }
}

async function createPostgres(): Promise<TestDatabase> {
  const server = await startPostgres()
  const { url, drop } = await server.createDatabase()
  return { settings: postgresSettings(url), drop }
}

/** A server's address as the tests' engines have it, as settings. */
export function postgresSettings(url: string): DatabaseServer {
  const { hostname, port, pathname, username, password } = new URL(url)
  const database = pathname.slice(1)
  return { dialect: 'postgresql', host: hostname, port: Number(port), database, username, password }
}

/** The lines of a package's properties that lead to a database; the embedded one of the instance for SQLite. */
export function propertiesOf(settings: DatabaseSettings): string[] {
  if (settings.dialect === 'sqlite') return ['database.name=embedded', 'database.type=hsql']
  const { host, port, database, username, password } = settings
  return [
    'database.name=test',
    'database.type=postgres',
    `postgres.connection.url=jdbc:postgresql://${host}:${port}/${database}`,
    `postgres.username=${username}`,
    `postgres.password=${password}`,
  ]
}
