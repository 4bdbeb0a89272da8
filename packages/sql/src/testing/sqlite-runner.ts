import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { BoundStatement, SqlRows, SqlValue } from '../queries/plan.ts'
import { sqliteFunctions, sqliteSum } from '../queries/sqlite-functions.ts'
import type { Runner } from './runners.ts'

/** An in-memory database with the functions that statements for SQLite call. */
export function sqliteRunner(session: readonly string[]): Runner {
  const database = new DatabaseSync(':memory:')
  for (const text of session) database.exec(text)
  for (const [name, call] of Object.entries(sqliteFunctions)) {
    database.function(name, { deterministic: true }, value => call(value === null ? null : String(value)))
  }
  const { name, start, step } = sqliteSum
  database.aggregate<string | null>(name, {
    start,
    step: (sum, value) => step(sum, typeof value === 'string' ? value : null),
    result: sum => sum,
  })
  return {
    make: async statements => statements.forEach(text => database.exec(text)),
    run: async statement => rowsOf(database, statement),
    begin: async () => database.exec('BEGIN'),
    commit: async () => database.exec('COMMIT'),
    rollback: async () => database.exec('ROLLBACK'),
    close: async () => database.close(),
  }
}

function rowsOf(database: DatabaseSync, { text, parameters, answers }: BoundStatement): SqlRows {
  const prepared = database.prepare(text)
  prepared.setReadBigInts(true)
  const values = parameters.map(inputOf)
  if (answers === 'count') return [[Number(prepared.run(...values).changes)]]
  prepared.setReturnArrays(true)
  const rows: unknown = prepared.all(...values)
  return Array.isArray(rows) ? rows : []
}

function inputOf(value: SqlValue): SQLInputValue {
  return value
}
