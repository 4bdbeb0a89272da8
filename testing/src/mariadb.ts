import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Connection, createConnection, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise'
import { findMariadb, mariadbAvailability } from './availability.ts'
import { askBroker } from './broker.ts'
import type { DatabaseConnection } from './postgres.ts'
import { execute, startChild, userIds } from './children.ts'
import { recordEngine } from './engine-versions.ts'
import { freePort, removeFolder, temporaryFolder, waitFor } from './temporary.ts'

/** `default` is the server's own sql_mode; ANSI reads double quotes as identifiers; empty is the lenient mode. */
export type SqlMode = 'default' | 'ANSI' | 'STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES' | ''

export interface MariadbServer {
  readonly url: string
  readonly version: string
  createDatabase(mode?: SqlMode): Promise<MariadbDatabase>
  stop(): Promise<void>
}

export interface MariadbDatabase {
  readonly url: string
  /** Runs a script of any number of statements unchanged, in this database's sql_mode. */
  execute(script: string): Promise<void>
  query(statement: string, values?: readonly (string | number | null)[]): Promise<Record<string, unknown>[]>
  /** A persistent connection for transactions, with statements prepared by the server. */
  connect(): Promise<DatabaseConnection>
  drop(): Promise<void>
}

const USER = 'mysql'
const TIMEOUT = 60_000

/** The MariaDB shared by all test files of a vitest run; outside of vitest, a separate one. */
export async function startMariadb(): Promise<MariadbServer> {
  const url = await askBroker('mariadb')
  if (url === undefined) return startOwnMariadb()
  return { url, version: await versionOf(url), createDatabase: mode => createDatabase(url, mode), stop: async () => {} }
}

export async function startOwnMariadb(): Promise<MariadbServer> {
  const programs = findMariadb()
  if (programs === undefined) throw new Error(mariadbAvailability().advice)
  const folder = temporaryFolder('mariadb', USER)
  const data = join(folder, 'data')
  const install = ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db']
  await execute(programs.install, userIds(USER) === undefined ? install : [...install, `--user=${USER}`])
  const port = await freePort()
  const child = startChild(programs.server, settings(folder, data, port), { user: USER, cwd: folder })
  const url = `mysql://cadmus@127.0.0.1:${port}/`
  const stop = async (): Promise<void> => {
    await child.stop('SIGTERM')
    removeFolder(folder)
  }
  try {
    const version = await waitFor(() => versionOf(url), TIMEOUT)
    return { url, version, createDatabase: mode => createDatabase(url, mode), stop }
  } catch (error) {
    await stop()
    throw new Error(`MariaDB did not start.\n${child.output()}`, { cause: error })
  }
}

function settings(folder: string, data: string, port: number): string[] {
  const accounts = join(folder, 'accounts.sql')
  // The server expects one statement per line.
  writeFileSync(accounts, "CREATE USER cadmus@'%';\nGRANT ALL ON *.* TO cadmus@'%' WITH GRANT OPTION;\n")
  return [
    '--no-defaults',
    `--datadir=${data}`,
    `--socket=${join(folder, 'mariadb.sock')}`,
    `--pid-file=${join(folder, 'mariadb.pid')}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    `--init-file=${accounts}`,
    '--innodb-flush-log-at-trx-commit=0',
    '--loose-innodb-flush-method=nosync',
    '--loose-sync-frm=OFF',
    '--innodb-doublewrite=OFF',
    '--innodb-stats-persistent=OFF',
    '--innodb-buffer-pool-size=64M',
    '--character-set-server=utf8mb4',
  ]
}

async function createDatabase(serverUrl: string, mode: SqlMode = 'default'): Promise<MariadbDatabase> {
  const name = `t_${randomBytes(8).toString('hex')}`
  await withConnection(serverUrl, 'default', connection => connection.query(`CREATE DATABASE ${name}`))
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    execute: async script => {
      await withConnection(url.href, mode, connection => connection.query(script))
    },
    query: (statement, values = []) =>
      withConnection(url.href, mode, async connection => {
        const [rows] = await connection.query<RowDataPacket[]>(statement, [...values])
        return rows
      }),
    connect: () => connect(url.href, mode),
    drop: async () => {
      await withConnection(serverUrl, 'default', connection => connection.query(`DROP DATABASE IF EXISTS ${name}`))
    },
  }
}

async function versionOf(url: string): Promise<string> {
  const [rows] = await withConnection(url, 'default', connection =>
    connection.query<RowDataPacket[]>('SELECT VERSION() AS version'),
  )
  const version = String(rows[0]?.['version'])
  recordEngine('MariaDB', version)
  return version
}

async function connect(url: string, mode: SqlMode): Promise<DatabaseConnection> {
  const connection = await open(url, mode)
  return {
    run: async (sql, values) => {
      const texts = values.map(value => (value === null || typeof value === 'string' ? value : String(value)))
      const [result] = await connection.execute<RowDataPacket[][] | ResultSetHeader>({ sql, rowsAsArray: true }, texts)
      return Array.isArray(result) ? { rows: result, count: result.length } : { rows: [], count: result.affectedRows }
    },
    end: () => connection.end(),
  }
}

async function open(uri: string, mode: SqlMode): Promise<Connection> {
  const numbers = { supportBigNumbers: true, bigNumberStrings: true, dateStrings: true }
  const connection = await createConnection({ uri, multipleStatements: true, ...numbers })
  if (mode !== 'default') await connection.query(`SET SESSION sql_mode = '${mode}'`)
  return connection
}

async function withConnection<T>(url: string, mode: SqlMode, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await open(url, mode)
  try {
    return await work(connection)
  } finally {
    await connection.end()
  }
}
