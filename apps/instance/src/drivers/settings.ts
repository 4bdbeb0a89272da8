import type { RunDatabase } from '@cadmus/sql/databases'

/** Databases with a server; SQLite is embedded. */
export type ServerDatabase = Exclude<RunDatabase, 'sqlite'>

/** The database of a package. */
export type DatabaseSettings = EmbeddedDatabase | DatabaseServer

/** A file in the data directory; packages with the same file share it. */
export type EmbeddedDatabase = { readonly dialect: 'sqlite'; readonly file: string }

export type DatabaseServer = {
  readonly dialect: ServerDatabase
  readonly host: string
  readonly port: number
  /** The name of the database; its SID on Oracle. */
  readonly database: string
  readonly username: string
  readonly password: string
}
