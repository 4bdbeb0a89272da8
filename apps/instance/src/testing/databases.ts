import { databaseTypeTable } from '@cadmus/model/database-types'
import { mariadbAvailability, postgresAvailability } from '@cadmus/testing/availability'
import { startMariadb } from '@cadmus/testing/mariadb'
import { startPostgres } from '@cadmus/testing/postgres'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { join } from 'node:path'
import type { DatabaseServer, DatabaseSettings } from '../drivers/settings.ts'

export type TestDatabase = { readonly settings: DatabaseSettings; drop(): Promise<void> }

/** Databases that packages run on here; each call of `create` makes an empty one. */
export const testDatabases: readonly { name: string; present: boolean; create(): Promise<TestDatabase> }[] = [
  { name: 'SQLite', present: true, create: createSqlite },
  { name: 'PostgreSQL', present: postgresAvailability().present, create: createPostgres },
  { name: 'MariaDB', present: mariadbAvailability().present, create: createMariadb },
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

async function createMariadb(): Promise<TestDatabase> {
  const server = await startMariadb()
  const { url, drop } = await server.createDatabase()
  return { settings: serverSettings('mysql', url), drop }
}

export function postgresSettings(url: string): DatabaseServer {
  return serverSettings('postgresql', url)
}

/** A server's address as the tests' engines have it, as settings. */
function serverSettings(dialect: DatabaseServer['dialect'], url: string): DatabaseServer {
  const { hostname, port, pathname, username, password } = new URL(url)
  return { dialect, host: hostname, port: Number(port), database: pathname.slice(1), username, password }
}

/** The lines of a package's properties that lead to a database; the embedded one of the instance for SQLite. */
export function propertiesOf(settings: DatabaseSettings): string[] {
  if (settings.dialect === 'sqlite') return ['database.name=embedded', 'database.type=hsql']
  const { dialect, host, port, database, username, password } = settings
  const { properties } = databaseTypeTable[dialect]
  return [
    'database.name=test',
    `database.type=${properties}`,
    `${properties}.connection.url=jdbc:${dialect}://${host}:${port}/${database}`,
    `${properties}.username=${username}`,
    `${properties}.password=${password}`,
  ]
}
