import type { DatabaseType } from '@cadmus/model/database-types'

/** The databases that packages run on: those of the console's exports, and SQLite, which is embedded in the instance. */
export type DatabaseDialect = DatabaseType | 'sqlite'

/** Where a package's tables are. */
export type DatabaseSettings = EmbeddedDatabase | DatabaseServer

/** A file of the instance's own; packages that name the same file share it. */
export type EmbeddedDatabase = { readonly dialect: 'sqlite'; readonly file: string }

export type DatabaseServer = {
  readonly dialect: DatabaseType
  readonly host: string
  readonly port: number
  /** The database's name; for Oracle its SID. */
  readonly database: string
  readonly username: string
  readonly password: string
}
