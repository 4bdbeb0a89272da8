import type { AnswerScope } from '../request-scope.ts'
import type { DatabaseDialect } from './settings.ts'

/** What goes into a statement. Decimals, dates and moments go as texts, 64-bit integers as bigints or texts: nothing is rounded. */
export type SqlValue = string | number | bigint | boolean | null | Uint8Array

/**
 * A text that was compiled, never with anything of a caller in it, and what goes into its places, in their order: `$1` on PostgreSQL and
 * HSQLDB, `?` on SQLite and MySQL, `@p1` on SQL Server, `:1` on Oracle.
 */
export type SqlStatement = {
  readonly text: string
  readonly parameters: readonly SqlValue[]
  /** `key`: one value comes out, behind the parameters where the database has it so. */
  readonly answers?: 'rows' | 'count' | 'key'
}

/**
 * A row's values in the order of its columns. Decimals, dates, moments, guids and JSON are texts, integers of 64 bits texts or bigints,
 * bytes `Uint8Array`s.
 */
export type SqlRow = readonly SqlValue[]

export type SqlResult = {
  readonly rows: readonly SqlRow[]
  /** Rows that the statement changed. */
  readonly changes: number
}

export type Queries = {
  /** Throws a `DatabaseError`. `scope`: of whoever is answered what the statement reads. */
  query(statement: SqlStatement, scope?: AnswerScope): Promise<SqlResult>
}

/** Connections to one database, and nothing else. */
export type Driver = Queries & {
  readonly dialect: DatabaseDialect
  /** All of it or nothing. What `work` throws is thrown; nothing but the database is awaited in it. `scope`: of whoever is answered what it reads. */
  transaction<T>(work: (connection: Queries) => Promise<T>, scope?: AnswerScope): Promise<T>
  /**
   * Where tables can be changed all or nothing: a transaction whose statements take the time that they need, and at whose end, and not
   * before, foreign keys hold. `beforeCommit` is called when nothing but the commit is left to fail; what it throws takes all back.
   */
  reshape?<T>(work: (connection: Queries) => Promise<T>, beforeCommit: () => void): Promise<T>
  /**
   * Where a statement may take long, or wait for who changes tables: a connection for such, to read only, which waits for them as `reshape`
   * does. `most`: milliseconds of a statement in a server, where somebody waits for it.
   */
  unhurried?<T>(work: (connection: Queries) => Promise<T>, most?: number): Promise<T>
  /** Throws a `DatabaseError` where the database does not answer. */
  check(): Promise<void>
  /** What is under way ends first. */
  close(): Promise<void>
}

/**
 * `value`: the column cannot hold it. `notNull`: it must hold one. `contended`: others were in the way, and the same may work when
 * tried again. `tooLarge`: the answer is more than may be held at once. `needsSlot`: it is a large one, for which the request has no slot.
 * `gone`: its caller is. `refused`: the database lets this user not in, or there is
 * no such database: it stays so until somebody changes it, and trying again may lock the account. `unavailable`: the database is away, or too busy. `full`: it has no room left. `other`: a defect of ours.
 */
export type DatabaseErrorKind =
  | 'unique'
  | 'foreignKey'
  | 'check'
  | 'notNull'
  | 'value'
  | 'contended'
  | 'tooLarge'
  | 'needsSlot'
  | 'gone'
  | 'refused'
  | 'unavailable'
  | 'full'
  | 'other'

/** What a database said, with its own error as cause: that is for the log and never for a caller. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly kind: DatabaseErrorKind

  constructor(kind: DatabaseErrorKind, cause: unknown) {
    super(`The database refused: ${kind}.`, { cause })
    this.kind = kind
  }
}
