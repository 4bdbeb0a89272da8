import { limits } from '@cadmus/model/limits'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { AnswerScope } from '../request-scope.ts'
import { DatabaseError, type Driver, type Queries, type SqlResult, type SqlStatement } from './driver.ts'
import { notTaken, RowIntake } from './intake.ts'
import { connect, type Connection, told } from './sqlite-connection.ts'
import { ReadingThreads, readOnThread, reshapeOnThread, transactionOnThread } from './sqlite-thread.ts'
import { turns } from '../turns.ts'

/**
 * The embedded database: a file with two connections of this process. One writes, a transaction at a time and every commit synced to
 * the disk; the other answers what is asked outside of transactions, and never waits. Statements are synchronous, and the second connection
 * gives up what turns out to be large. That, and what may take long, is done on a thread of its own.
 */
export function openSqlite(file: string): Driver {
  mkdirSync(dirname(file), { recursive: true })
  const reader = connect(file, limits.quickAnswer)
  reader.database.exec('PRAGMA query_only = ON')
  // Each knows the whole schema, of a large package a megabyte: who is only read has one.
  let opened: Connection | undefined
  const writer = () => (opened ??= connect(file, limits.databaseAnswer))
  /** Waits for the transaction before, and lets nobody in before its own end. */
  const inTurn = turns()
  const threads = new ReadingThreads(file)
  return {
    dialect: 'sqlite',
    query: (statement, scope) =>
      isReading(statement.text) ? read(reader, threads, statement, scope) : inTurn(async () => writer().run(statement)),
    transaction: (work, scope) =>
      inTurn(() => {
        if (scope === undefined) return transaction(writer(), work)
        return scope.hasSlot ? transactionOnThread(file, work) : smallTransaction(writer(), work)
      }),
    reshape: (work, beforeCommit) => inTurn(() => reshapeOnThread(file, work, beforeCommit)),
    unhurried: work => readOnThread(file, work),
    check: async () => {
      reader.run({ text: 'SELECT 1', parameters: [] })
    },
    close: () =>
      inTurn(async () => {
        await threads.ended()
        reader.database.close()
        opened?.database.close()
      }),
  }
}

function isOfLarge(error: unknown): boolean {
  return error instanceof DatabaseError && (error.kind === 'needsSlot' || error.kind === 'tooLarge')
}

async function read(
  reader: Connection,
  threads: ReadingThreads,
  statement: SqlStatement,
  scope?: AnswerScope,
): Promise<SqlResult> {
  if (scope?.isLarge) return threads.read(statement, scope)
  const intake = new RowIntake(scope, limits.quickAnswer)
  try {
    return reader.read(statement, intake)
  } catch (error) {
    intake.giveBack()
    if (!isOfLarge(error)) throw error
    if (scope && !scope.hasSlot) throw notTaken('needsSlot')
    return threads.read(statement, scope)
  }
}

/** Of a record that is larger than what is answered at once nothing is read: it needs a slot. */
async function smallTransaction<T>(connection: Connection, work: (connection: Queries) => Promise<T>): Promise<T> {
  const { limits: largest } = connection.database
  largest.length = limits.quickAnswer
  try {
    return await transaction(connection, work)
  } catch (error) {
    throw error instanceof DatabaseError && error.kind === 'tooLarge' ? notTaken('needsSlot') : error
  } finally {
    largest.length = limits.databaseAnswer
  }
}

async function transaction<T>({ database, run }: Connection, work: (connection: Queries) => Promise<T>): Promise<T> {
  told(() => database.exec('BEGIN IMMEDIATE'))
  const counted = async (statement: SqlStatement, scope?: AnswerScope): Promise<SqlResult> => {
    const { rows, changes } = run(statement)
    const intake = new RowIntake(scope)
    for (const row of rows) intake.take(row)
    return { rows, changes }
  }
  try {
    const result = await work({ query: counted })
    told(() => database.exec('COMMIT'))
    return result
  } catch (error) {
    // A full disk ends a transaction by itself.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** What reads begins so; what begins so and writes all the same is refused by the connection that answers it. */
function isReading(text: string): boolean {
  return /^\s*(?:SELECT|VALUES|WITH)\b/i.test(text)
}
