import type { DatabaseType } from '@cadmus/model/database-types'
import { hsqldbAvailability, mariadbAvailability, postgresAvailability } from '@cadmus/testing/availability'
import { startHsqldb } from '@cadmus/testing/hsqldb'
import { startMariadb, type SqlMode } from '@cadmus/testing/mariadb'
import { startPostgres } from '@cadmus/testing/postgres'
import { introspectHsqldb, introspectMariadb, introspectPostgres, type TableShapes, type Rows } from './introspect.ts'

// For tests only: the engines that run the scripts of each dialect.

export type Database = { execute(script: string): Promise<unknown>; query: Rows; drop(): Promise<void> }
export type Server = { createDatabase(): Promise<Database>; stop(): Promise<void> }
export type Engine = {
  availability: { present: boolean; advice: string }
  start(): Server | Promise<Server>
  introspect(rows: Rows): Promise<TableShapes>
}

// Oracle and SQL Server cannot be started here: parsers.test.ts checks their scripts by a parser and H2.
export const engines = {
  postgresql: {
    PostgreSQL: { availability: postgresAvailability(), start: startPostgres, introspect: introspectPostgres },
  },
  mysql: {
    MariaDB: { availability: mariadbAvailability(), start: startMariadb, introspect: introspectMariadb },
    'MariaDB in sql_mode ANSI': {
      availability: mariadbAvailability(),
      start: () => mariadbIn('ANSI'),
      introspect: introspectMariadb,
    },
    'MariaDB in strict mode without escapes': {
      availability: mariadbAvailability(),
      start: () => mariadbIn('STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES'),
      introspect: introspectMariadb,
    },
    'MariaDB in no sql_mode': {
      availability: mariadbAvailability(),
      start: () => mariadbIn(''),
      introspect: introspectMariadb,
    },
  },
  hsql: { HSQLDB: { availability: hsqldbAvailability(), start: startHsqldb, introspect: introspectHsqldb } },
  oracle: 'not supported',
  mssql: 'not supported',
} as const satisfies Partial<Record<DatabaseType, Record<string, Engine> | 'not supported'>>

async function mariadbIn(mode: SqlMode): Promise<Server> {
  const server = await startMariadb()
  return { createDatabase: () => server.createDatabase(mode), stop: () => server.stop() }
}
