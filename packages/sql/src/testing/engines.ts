import type { DatabaseType } from '@cadmus/model/database-types'
import { hsqldbAvailability, mariadbAvailability, postgresAvailability } from '@cadmus/testing/availability'
import { startHsqldb } from '@cadmus/testing/hsqldb'
import { startMariadb, type SqlMode } from '@cadmus/testing/mariadb'
import { startPostgres } from '@cadmus/testing/postgres'
import { foundInHsqldb, foundInMariadb, foundInPostgres, type Found, type Rows } from './introspect.ts'

// For tests only: which engine proves which dialect.

export type Database = { execute(script: string): Promise<unknown>; query: Rows; drop(): Promise<void> }
export type Server = { createDatabase(): Promise<Database>; stop(): Promise<void> }
export type Engine = {
  availability: { present: boolean; advice: string }
  start(): Server | Promise<Server>
  found(rows: Rows): Promise<Found>
}

// Oracle and SQL Server cannot be started here: judged.test.ts has a parser and H2 judge them.
export const engines = {
  postgresql: { PostgreSQL: { availability: postgresAvailability(), start: startPostgres, found: foundInPostgres } },
  mysql: {
    MariaDB: { availability: mariadbAvailability(), start: startMariadb, found: foundInMariadb },
    'MariaDB in sql_mode ANSI': {
      availability: mariadbAvailability(),
      start: () => mariadbIn('ANSI'),
      found: foundInMariadb,
    },
    'MariaDB in strict mode without escapes': {
      availability: mariadbAvailability(),
      start: () => mariadbIn('STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES'),
      found: foundInMariadb,
    },
    'MariaDB in no sql_mode': {
      availability: mariadbAvailability(),
      start: () => mariadbIn(''),
      found: foundInMariadb,
    },
  },
  hsql: { HSQLDB: { availability: hsqldbAvailability(), start: startHsqldb, found: foundInHsqldb } },
  oracle: 'not supported',
  mssql: 'not supported',
} as const satisfies Record<DatabaseType, Record<string, Engine> | 'not supported'>

async function mariadbIn(mode: SqlMode): Promise<Server> {
  const server = await startMariadb()
  return { createDatabase: () => server.createDatabase(mode), stop: () => server.stop() }
}
