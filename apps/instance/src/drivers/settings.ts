import type { DatabaseType } from '@cadmus/model/database-types'

/** The databases packages run on: those of the console's exports, and the embedded SQLite. */
export type DatabaseDialect = DatabaseType | 'sqlite'

/** The database of a package. */
export type DatabaseSettings = EmbeddedDatabase | DatabaseServer

/** A file in the data directory; packages with the same file share it. */
export type EmbeddedDatabase = { readonly dialect: 'sqlite'; readonly file: string }

export type DatabaseServer = {
  readonly dialect: DatabaseType
  readonly host: string
  readonly port: number
  /** The name of the database; its SID on Oracle. */
  readonly database: string
  readonly username: string
  readonly password: string
}
