import { hsqldbAvailability, mariadbAvailability, postgresAvailability } from '@cadmus/testing/availability'
import { recordEngine, sqliteVersion } from '@cadmus/testing/engine-versions'
import { startHsqldb } from '@cadmus/testing/hsqldb'
import { startMariadb } from '@cadmus/testing/mariadb'
import { startPostgres, type DatabaseConnection } from '@cadmus/testing/postgres'
import type { RunDatabase } from '../databases.ts'
import type { Runner } from './runners.ts'
import { sqliteRunner } from './sqlite-runner.ts'

// For tests only: the available engines on which plans can be run. Each test gets a new database.

export type RunnerServer = { open(session: readonly string[]): Promise<Runner>; stop(): Promise<void> }

export type RunnerEngine = {
  dialect: RunDatabase
  availability: { present: boolean; advice: string }
  start(): Promise<RunnerServer>
}

export const runnerEngines: Readonly<Record<string, RunnerEngine>> = {
  SQLite: {
    dialect: 'sqlite',
    availability: { present: true, advice: '' },
    start: sqlite,
  },
  PostgreSQL: { dialect: 'postgresql', availability: postgresAvailability(), start: postgres },
  MariaDB: { dialect: 'mysql', availability: mariadbAvailability(), start: () => mariadb('default') },
  'MariaDB in sql_mode ANSI': { dialect: 'mysql', availability: mariadbAvailability(), start: () => mariadb('ANSI') },
  HSQLDB: { dialect: 'hsql', availability: hsqldbAvailability(), start: hsqldb },
}

async function sqlite(): Promise<RunnerServer> {
  recordEngine('SQLite', sqliteVersion)
  return { open: async session => sqliteRunner(session), stop: async () => {} }
}

async function postgres(): Promise<RunnerServer> {
  const server = await startPostgres()
  return {
    open: async session => {
      const database = await server.createDatabase()
      return runnerOf(await database.connect(), session, () => database.drop())
    },
    stop: () => server.stop(),
  }
}

async function mariadb(mode: 'default' | 'ANSI'): Promise<RunnerServer> {
  const server = await startMariadb()
  return {
    open: async session => {
      const database = await server.createDatabase(mode)
      const runner = await runnerOf(await database.connect(), session, () => database.drop())
      // Schema statements are executed without preparing them.
      return { ...runner, make: statements => database.execute(statements.map(text => `${text};\n`).join('')) }
    },
    stop: () => server.stop(),
  }
}

async function hsqldb(): Promise<RunnerServer> {
  const engine = startHsqldb()
  return {
    open: async session => {
      const database = await engine.createDatabase()
      const run = (text: string, values: readonly unknown[]) => database.run(withLiterals(text, values))
      const runner = await runnerOf({ run, end: async () => {} }, session, () => database.drop())
      const commit = () => database.execute('COMMIT; SET AUTOCOMMIT TRUE')
      const rollback = () => database.execute('ROLLBACK; SET AUTOCOMMIT TRUE')
      return { ...runner, begin: () => database.execute('SET AUTOCOMMIT FALSE'), commit, rollback }
    },
    stop: () => engine.stop(),
  }
}

async function runnerOf(
  connection: DatabaseConnection,
  session: readonly string[],
  drop: () => Promise<void>,
): Promise<Runner> {
  const execute = async (text: string) => {
    await connection.run(text, [])
  }
  for (const text of session) await execute(text)
  return {
    make: async statements => {
      for (const text of statements) await execute(text)
    },
    run: async ({ text, parameters, answers }) => {
      const { rows, count } = await connection.run(text, parameters)
      return answers === 'count' ? [[count]] : rows
    },
    begin: () => execute('BEGIN'),
    commit: () => execute('COMMIT'),
    rollback: () => execute('ROLLBACK'),
    close: async () => {
      await connection.end()
      await drop()
    },
  }
}

/** Replaces placeholders by literals, as this connection accepts no parameters. */
function withLiterals(text: string, values: readonly unknown[]): string {
  let next = 0
  const pieces = /"(?:[^"]|"")*"|'(?:[^']|'')*'|(?:(?:LIMIT|OFFSET) )?\?/g
  return text.replace(pieces, piece => {
    if (!piece.endsWith('?')) return piece
    const value = values[next++]
    return piece === '?' ? literalOf(value) : piece.replace('?', String(value))
  })
}

function literalOf(value: unknown): string {
  return value === null ? 'NULL' : `'${String(value).replaceAll("'", "''")}'`
}
