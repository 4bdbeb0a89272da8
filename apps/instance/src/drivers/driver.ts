import type { RunDatabase } from '@cadmus/sql/databases'
import type { AnswerScope } from '../request-scope.ts'

/**
 * A parameter of a statement. Decimals and dates are strings, 64-bit integers bigints or strings, so that nothing is
 * rounded.
 */
export type SqlValue = string | number | bigint | boolean | null | Uint8Array

/**
 * A compiled statement, which never contains caller input, and its parameters in order: `$1` on PostgreSQL and HSQLDB,
 * `?` on SQLite and MySQL, `@p1` on SQL Server, `:1` on Oracle.
 */
export type SqlStatement = {
  readonly text: string
  readonly parameters: readonly SqlValue[]
  /** `key`: the statement returns one value, as an output parameter where the database requires it. */
  readonly answers?: 'rows' | 'count' | 'key'
}

/**
 * The values of a row in column order. Decimals, dates, guids and JSON are strings, 64-bit integers strings or bigints,
 * bytes `Uint8Array`s.
 */
export type SqlRow = readonly SqlValue[]

export type SqlResult = {
  readonly rows: readonly SqlRow[]
  /** The number of changed rows. */
  readonly changes: number
}

export type Queries = {
  /** Throws a `DatabaseError`. `scope` counts the result as part of an answer. */
  query(statement: SqlStatement, scope?: AnswerScope): Promise<SqlResult>
}

/** The connections to one database. */
export type Driver = Queries & {
  readonly dialect: RunDatabase
  /**
   * Runs a transaction. Errors of `work` roll it back and are rethrown; `work` must await nothing but the database.
   * `scope` counts the results.
   */
  transaction<T>(work: (connection: Queries) => Promise<T>, scope?: AnswerScope): Promise<T>
  /**
   * Present if DDL is transactional: a transaction without statement timeouts whose foreign keys are checked at its
   * end. `beforeCommit` is called right before the commit and may throw to roll back.
   */
  reshape?<T>(work: (connection: Queries) => Promise<T>, beforeCommit: () => void): Promise<T>
  /**
   * Present if reads may be slow or wait for table changes: runs them on a read-only connection that waits like
   * `reshape`. `max`: the statement timeout in milliseconds.
   */
  longRead?<T>(work: (connection: Queries) => Promise<T>, max?: number): Promise<T>
  /** Throws a `DatabaseError` if the database does not answer. */
  check(): Promise<void>
  /** Waits for running statements. */
  close(): Promise<void>
}

/**
 * `value`: the column cannot hold the value. `notNull`: a required value is missing. `contended`: a conflict with
 * others; a retry may succeed. `tooLarge`: the answer exceeds the limit. `needsSlot`: a large answer without a slot.
 * `gone`: the caller has disconnected. `refused`: wrong credentials; not retried, since retries may lock the user.
 * `noDatabase`: the user has no such database; not retried either. `privilege`: the user may not run the statement. `unavailable`: the database is down or overloaded. `full`: it has no space. `other`: a defect.
 */
const errorKinds = [
  'unique',
  'foreignKey',
  'check',
  'notNull',
  'value',
  'contended',
  'tooLarge',
  'needsSlot',
  'gone',
  'refused',
  'noDatabase',
  'privilege',
  'unavailable',
  'full',
  'other',
] as const
export type DatabaseErrorKind = (typeof errorKinds)[number]

/** An error of a database. `cause` is the original error, for the log only. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly kind: DatabaseErrorKind
  /** Milliseconds during which the sign-in is not repeated. */
  readonly pause: number

  constructor(kind: DatabaseErrorKind, cause: unknown, pause = 0) {
    super(`The database refused: ${kind}.`, { cause })
    this.kind = kind
    this.pause = pause
  }
}

/** Explains to the user how long sign-ins are paused; empty without a pause. */
export function pauseText(error: unknown): string {
  if (!(error instanceof DatabaseError) || error.pause === 0) return ''
  return ` The same password is tried again in ${Math.ceil(error.pause / 1000)} s at the earliest, because databases lock users after several refusals.`
}

/** Returns an error as a `DatabaseError`. `kindOf`: the kind of a driver's own error. */
export function failureBy(kindOf: (error: unknown) => DatabaseErrorKind): (error: unknown) => DatabaseError {
  return error => (error instanceof DatabaseError ? error : new DatabaseError(kindOf(error), error))
}

/** The kinds of errors by the numbers that a database gives them. */
export function kindsByNumber(
  numbers: Readonly<Partial<Record<DatabaseErrorKind, readonly number[]>>>,
): (number: unknown) => DatabaseErrorKind | undefined {
  const kinds = new Map<unknown, DatabaseErrorKind>()
  for (const kind of errorKinds) for (const number of numbers[kind] ?? []) kinds.set(number, kind)
  return number => kinds.get(Number(number))
}

/** Converts a value for drivers that support neither bigint nor boolean. */
export function sendable(value: SqlValue): string | number | null | Buffer {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'boolean') return Number(value)
  return value instanceof Uint8Array ? Buffer.from(value) : value
}

/** The error of an attempt to connect. */
export function connectError(error: DatabaseError): DatabaseError {
  return error.kind === 'privilege' ? new DatabaseError('noDatabase', error.cause) : error
}

/** Whether the package cannot connect until its settings or the user's rights are corrected. */
export function isSignInError(error: unknown): boolean {
  return error instanceof DatabaseError && (error.kind === 'refused' || error.kind === 'noDatabase')
}

/** Databases with a server; SQLite is embedded. */
export type ServerDatabase = Exclude<RunDatabase, 'sqlite'>

/** The database of a package. */
export type DatabaseSettings = EmbeddedDatabase | DatabaseServer

/** A file in the data directory; packages with the same file share it. */
type EmbeddedDatabase = { readonly dialect: 'sqlite'; readonly file: string }

export type DatabaseServer = {
  readonly dialect: ServerDatabase
  readonly host: string
  readonly port: number
  /** The name of the database; its SID on Oracle. */
  readonly database: string
  readonly username: string
  readonly password: string
}
