import { connectionUrl, packageDatabaseTable } from '@cadmus/model/database-types'
import { mariadbAvailability, postgresAvailability } from '@cadmus/testing/availability'
import { recordEngine, sqliteVersion } from '@cadmus/testing/engine-versions'
import { startMariadb } from '@cadmus/testing/mariadb'
import { startPostgres } from '@cadmus/testing/postgres'
import { isProving } from '@cadmus/testing/proof'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openDriver } from '../drivers/open.ts'
import type { DatabaseServer, DatabaseSettings } from '../drivers/driver.ts'

export type TestDatabase = { readonly settings: DatabaseSettings; drop(): Promise<void> }

/** Databases of this machine; `create` makes an empty one. */
export const testDatabases: readonly { name: string; present: boolean; create(): Promise<TestDatabase> }[] = [
  { name: 'SQLite', present: true, create: createSqlite },
  { name: 'PostgreSQL', present: postgresAvailability().present, create: createPostgres },
  { name: 'MariaDB', present: mariadbAvailability().present, create: createMariadb },
  ...externalServer('MySQL', 'mysql', process.env['CADMUS_TEST_MYSQL_URL']),
  ...externalServer('SQL Server', 'mssql', process.env['CADMUS_TEST_MSSQL_URL']),
  ...externalServer('Oracle', 'oracle', process.env['CADMUS_TEST_ORACLE_URL']),
]

/** For rules that do not depend on the database: all cases on SQLite and in full proofs, otherwise the first. */
export function casesOn<T>(database: string, cases: readonly T[]): readonly T[] {
  return database === 'SQLite' || isProving() ? cases : cases.slice(0, 1)
}

type ExternalDialect = 'mysql' | 'mssql' | 'oracle'

/**
 * A server from the environment, at `scheme://user:password@host:port/database`. The database is for tests only and is
 * emptied.
 */
function externalServer(name: string, dialect: ExternalDialect, url: string | undefined) {
  return url === undefined ? [] : [{ name, present: true, create: () => createExternal(dialect, url) }]
}

async function createExternal(dialect: ExternalDialect, url: string): Promise<TestDatabase> {
  const settings = serverSettings(dialect, url)
  // Oracle users have a single schema, which is emptied.
  if (dialect === 'oracle') {
    await execute(settings, emptyOracle)
    return { settings, drop: async () => undefined }
  }
  const database = `t_${randomBytes(8).toString('hex')}`
  await execute(settings, `CREATE DATABASE ${database}`)
  return { settings: { ...settings, database }, drop: () => execute(settings, `DROP DATABASE ${database}`) }
}

const emptyOracle = `BEGIN FOR t IN (SELECT table_name FROM user_tables) LOOP
  EXECUTE IMMEDIATE 'DROP TABLE "' || t.table_name || '" CASCADE CONSTRAINTS PURGE'; END LOOP; END;`

async function execute(settings: DatabaseServer, text: string): Promise<void> {
  const driver = await openDriver(settings)
  await driver.query({ text, parameters: [] })
  await driver.close()
}

async function createSqlite(): Promise<TestDatabase> {
  recordEngine('SQLite', sqliteVersion)
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

/** Settings from the URL of a test server. */
export function serverSettings(dialect: DatabaseServer['dialect'], url: string): DatabaseServer {
  const { hostname, port, pathname, username, password } = new URL(url)
  return { dialect, host: hostname, port: Number(port), database: pathname.slice(1), username, password }
}

/** The properties that select a database; the embedded one for SQLite. */
export function propertiesOf(settings: DatabaseSettings): string[] {
  if (settings.dialect === 'sqlite') return ['database.name=embedded', 'database.type=hsql']
  const { dialect, host, port, database, username, password } = settings
  const { properties } = packageDatabaseTable[dialect]
  return [
    'database.name=test',
    `database.type=${properties}`,
    `${properties}.connection.url=${connectionUrl(dialect, database).replace(/localhost:\d+/, `${host}:${port}`)}`,
    `${properties}.username=${username}`,
    `${properties}.password=${password}`,
  ]
}
