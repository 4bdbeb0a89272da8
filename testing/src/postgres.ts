import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { findPostgres, postgresAvailability } from './availability.ts'
import { execute, isAlive, startChild } from './children.ts'
import { askBroker } from './broker.ts'
import { recordEngine } from './engine-versions.ts'
import { freePort, removeFolder, temporaryFolder, waitFor } from './temporary.ts'

export interface PostgresServer {
  /** Address of the maintenance database for a superuser. */
  readonly url: string
  readonly version: string
  /** Empty, or a copy of the named database, which must have no connections. */
  createDatabase(template?: string): Promise<PostgresDatabase>
  stop(): Promise<void>
}

/** A separate server for a single caller, which can simulate failures. */
export interface OwnPostgresServer extends PostgresServer {
  /** Ends the server, by a crash or by a fast shutdown, and restarts it after the given number of milliseconds. */
  restart(how: 'SIGINT' | 'SIGKILL', absence: number): Promise<void>
  /** Suspends all its processes: connections stay open without answers until `thaw`. */
  freeze(): void
  thaw(): void
}

export interface PostgresDatabase {
  readonly url: string
  /** Runs a script of any number of statements unchanged; returns the rows of the last one. */
  execute(script: string): Promise<Record<string, unknown>[]>
  query(statement: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  /** A persistent connection for transactions. */
  connect(): Promise<DatabaseConnection>
  drop(): Promise<void>
}

/** Rows as lists of values, or the number of changed rows. */
export interface DatabaseConnection {
  run(statement: string, values: readonly unknown[]): Promise<{ rows: unknown[][]; count: number }>
  end(): Promise<void>
}

const USER = 'postgres'
const TIMEOUT = 30_000

/** The PostgreSQL shared by all test files of a vitest run; outside of vitest, a separate one. */
export async function startPostgres(): Promise<PostgresServer> {
  const url = await askBroker('postgres')
  if (url === undefined) return startOwnPostgres()
  return {
    url,
    version: await versionOf(url),
    createDatabase: template => createDatabase(url, template),
    stop: async () => {},
  }
}

/** A PostgreSQL for a single caller. `durable` keeps fsync on, like a production server. */
export async function startOwnPostgres(options: { durable?: boolean } = {}): Promise<OwnPostgresServer> {
  const programs = findPostgres()
  if (programs === undefined) throw new Error(postgresAvailability().advice)
  const folder = temporaryFolder('postgres', USER)
  const data = join(folder, 'data')
  const initArgs = ['-D', data, '-U', 'cadmus', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  await execute(programs.initdb, initArgs, { user: USER, cwd: folder })
  const port = await freePort()
  const args = ['-D', data, ...settings(folder, port, options.durable ?? false)]
  const start = () => startChild(programs.postgres, args, { user: USER, cwd: folder, deathSignal: 'QUIT' })
  let child = start()
  const url = `postgres://cadmus@127.0.0.1:${port}/postgres`
  const stop = async (): Promise<void> => {
    signalAll(child.pid, 'SIGCONT')
    // SIGINT is PostgreSQL's fast shutdown, which disconnects clients.
    await child.stop('SIGINT')
    removeFolder(folder)
  }
  try {
    const version = await waitFor(() => versionOf(url), TIMEOUT)
    return {
      url,
      version,
      createDatabase: template => createDatabase(url, template),
      stop,
      async restart(how, absence) {
        const backends = how === 'SIGKILL' ? childrenOf(child.pid) : []
        await child.stop(how)
        for (const backend of backends) signal(backend, 'SIGKILL')
        await wait(absence)
        child = start()
        await waitFor(() => versionOf(url), TIMEOUT)
      },
      freeze: () => signalAll(child.pid, 'SIGSTOP'),
      thaw: () => signalAll(child.pid, 'SIGCONT'),
    }
  } catch (error) {
    await stop()
    throw new Error(`PostgreSQL did not start.\n${child.output()}`, { cause: error })
  }
}

/** The postmaster first, so that it starts no further backends. */
function signalAll(pid: number, how: NodeJS.Signals): void {
  signal(pid, how)
  for (const backend of childrenOf(pid)) signal(backend, how)
}

function signal(pid: number, how: NodeJS.Signals): void {
  try {
    process.kill(pid, how)
  } catch (error) {
    // It may end at any time.
    if (isAlive(pid)) throw error
  }
}

function childrenOf(pid: number): number[] {
  const listed = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  return listed.stdout.split('\n').map(Number).filter(Boolean)
}

/** Compiling statements and a log for replicas cost more than the small databases of tests. */
const cheap = ['jit=off', 'wal_level=minimal', 'max_wal_senders=0']

function settings(folder: string, port: number, durable: boolean): string[] {
  const lines = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'max_connections=200',
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', ...cheap]),
  ]
  return lines.flatMap(line => ['-c', line])
}

async function createDatabase(serverUrl: string, template = 'template0'): Promise<PostgresDatabase> {
  const name = `t_${randomBytes(8).toString('hex')}`
  await withClient(serverUrl, client => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`))
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    execute: script => withClient(url.href, async client => lastRows(await client.query(script))),
    query: (statement, values = []) =>
      withClient(url.href, async client => (await client.query(statement, [...values])).rows),
    connect: () => connect(url.href),
    drop: async () => {
      await withClient(serverUrl, client => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
    },
  }
}

async function connect(url: string): Promise<DatabaseConnection> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return {
    run: async (text, values) => {
      const { rows, rowCount } = await client.query<unknown[]>({ text, values: [...values], rowMode: 'array' })
      return { rows, count: rowCount ?? 0 }
    },
    end: () => client.end(),
  }
}

/** pg returns a list of results for several statements, a single result for one. */
function lastRows(result: unknown): Record<string, unknown>[] {
  const last: unknown = Array.isArray(result) ? result.at(-1) : result
  if (typeof last !== 'object' || last === null || !('rows' in last) || !Array.isArray(last.rows)) return []
  return last.rows
}

async function versionOf(url: string): Promise<string> {
  const rows = await withClient(url, async client => (await client.query('SHOW server_version')).rows)
  const version = String(rows[0]?.server_version)
  recordEngine('PostgreSQL', version)
  return version
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
