import { sqliteFunctions, sqliteSum } from '@cadmus/sql/queries/sqlite-functions'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { DatabaseError, type DatabaseErrorKind, type SqlRow, type SqlStatement } from './driver.ts'

/** Prepared statements kept on a connection, by their texts. */
const keptStatements = 2000

export type Connection = ReturnType<typeof connect>

/** One connection to a file, as the dialect's texts need it. `largest`: bytes of a value, and so of an answer. Throws `DatabaseError`s. */
export function connect(file: string, largest?: number) {
  const database = told(() => open(file, largest))
  const kept = new Map<string, StatementSync>()
  const prepared = (text: string): StatementSync => {
    const known = kept.get(text)
    if (known) return known
    const statement = database.prepare(text)
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
    if (kept.size >= keptStatements) kept.clear()
    kept.set(text, statement)
    return statement
  }
  return {
    database,
    run({ text, parameters }: SqlStatement) {
      return told(() => {
        const statement = prepared(text)
        const values = parameters.map(bindable)
        if (statement.columns().length === 0) return { rows: [], changes: Number(statement.run(...values).changes) }
        const rows = statement.all(...values)
        return { rows: rows.map(rowOf), changes: rows.length }
      })
    },
  }
}

function open(file: string, largest: number | undefined): DatabaseSync {
  const database = new DatabaseSync(file, largest === undefined ? {} : { limits: { length: largest } })
  try {
    database.exec(
      'PRAGMA busy_timeout = 1000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -16000',
    )
  } catch (error) {
    // It is tried again and again, and each would keep the file open.
    database.close()
    throw error
  }
  // What SQLite lacks of exact decimals and of letters beyond ASCII, as the dialect's texts call it.
  for (const [name, work] of Object.entries(sqliteFunctions)) {
    database.function(name, { deterministic: true }, value => work(textOf(value)))
  }
  const { name, start, step } = sqliteSum
  database.aggregate(name, { start: start, step: (sum, value) => step(textOf(sum), textOf(value)) })
  return database
}

function textOf(value: SQLInputValue): string | null {
  return value === null ? null : String(value)
}

/** Rows are lists, as `setReturnArrays` says; the types of the module know records only. */
function rowOf(row: unknown): SqlRow {
  return Array.isArray(row) ? row : []
}

function bindable(value: SqlStatement['parameters'][number]): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : value
}

/** What the database throws as a `DatabaseError`. */
export function told<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof DatabaseError ? error : new DatabaseError(kindOf(error), error)
  }
}

/** Extended result codes of constraints, then primary ones. */
const kinds: Readonly<Record<number, DatabaseErrorKind>> = {
  275: 'check',
  787: 'foreignKey',
  1299: 'notNull',
  1555: 'unique',
  2067: 'unique',
  2579: 'unique',
  3091: 'value',
  5: 'unavailable',
  6: 'unavailable',
  7: 'unavailable',
  8: 'unavailable',
  10: 'unavailable',
  11: 'unavailable',
  13: 'full',
  14: 'unavailable',
  18: 'tooLarge',
  20: 'value',
  26: 'unavailable',
}

function kindOf(error: unknown): DatabaseErrorKind {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return 'other'
  return kinds[error.errcode] ?? kinds[error.errcode & 0xff] ?? 'other'
}
