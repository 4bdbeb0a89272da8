import { databaseTypeTable } from '@cadmus/model/database-types'
import { mariadbAvailability, postgresAvailability } from '@cadmus/testing/availability'
import { recordEngine, sqliteVersion } from '@cadmus/testing/engine-versions'
import { startMariadb } from '@cadmus/testing/mariadb'
import { startPostgres } from '@cadmus/testing/postgres'
import { isProving } from '@cadmus/testing/proof'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openDriver } from '../drivers/open.ts'
import type { DatabaseServer, DatabaseSettings } from '../drivers/settings.ts'

export type TestDatabase = { readonly settings: DatabaseSettings; drop(): Promise<void> }

/** Databases that packages run on here; each call of `create` makes an empty one. */
export const testDatabases: readonly { name: string; present: boolean; create(): Promise<TestDatabase> }[] = [
  { name: 'SQLite', present: true, create: createSqlite },
  { name: 'PostgreSQL', present: postgresAvailability().present, create: createPostgres },
  { name: 'MariaDB', present: mariadbAvailability().present, create: createMariadb },
  ...given('MySQL', 'mysql', process.env['CADMUS_TEST_MYSQL_URL']),
  ...given('SQL Server', 'mssql', process.env['CADMUS_TEST_MSSQL_URL']),
  ...given('Oracle', 'oracle', process.env['CADMUS_TEST_ORACLE_URL']),
]

/** For rules that do not depend on the database: all cases on SQLite and in full proofs, otherwise the first. */
export function casesOn<T>(database: string, cases: readonly T[]): readonly T[] {
  return database === 'SQLite' || isProving() ? cases : cases.slice(0, 1)
}

type Given = 'mysql' | 'mssql' | 'oracle'

/** A server that somebody has, at `scheme://user:password@host:port/database`. The database is for tests alone, and is emptied. */
function given(name: string, dialect: Given, url: string | undefined) {
  return url === undefined ? [] : [{ name, present: true, create: () => createGiven(dialect, url) }]
}

async function createGiven(dialect: Given, url: string): Promise<TestDatabase> {
  const settings = serverSettings(dialect, url)
  // Oracle has no database beside the one that its users are in: theirs is emptied.
  if (dialect === 'oracle') {
    await tell(settings, emptyOracle)
    return { settings, drop: async () => undefined }
  }
  const database = `t_${randomBytes(8).toString('hex')}`
  await tell(settings, `CREATE DATABASE ${database}`)
  return { settings: { ...settings, database }, drop: () => tell(settings, `DROP DATABASE ${database}`) }
}

const emptyOracle = `BEGIN FOR t IN (SELECT table_name FROM user_tables) LOOP
  EXECUTE IMMEDIATE 'DROP TABLE "' || t.table_name || '" CASCADE CONSTRAINTS PURGE'; END LOOP; END;`

async function tell(settings: DatabaseServer, text: string): Promise<void> {
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

/** A server's address as the tests' engines have it, as settings. */
export function serverSettings(dialect: DatabaseServer['dialect'], url: string): DatabaseServer {
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
    `${properties}.connection.url=${addresses[dialect](`${host}:${port}`, database)}`,
    `${properties}.username=${username}`,
    `${properties}.password=${password}`,
  ]
}

const addresses: Readonly<Record<DatabaseServer['dialect'], (place: string, database: string) => string>> = {
  postgresql: (place, database) => `jdbc:postgresql://${place}/${database}`,
  mysql: (place, database) => `jdbc:mysql://${place}/${database}?sessionVariables=sql_mode='ANSI'`,
  hsql: (place, database) => `jdbc:hsqldb:hsql://${place}/${database}`,
  oracle: (place, database) => `jdbc:oracle:thin:@${place}:${database}`,
  mssql: (place, database) => `jdbc:sqlserver://${place};databaseName=${database}`,
}
