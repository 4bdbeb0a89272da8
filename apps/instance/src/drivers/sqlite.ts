import { limits } from '@cadmus/model/limits'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { AnswerScope } from '../request-scope.ts'
import { DatabaseError, type Driver, type Queries, type SqlResult, type SqlStatement } from './driver.ts'
import { answerRefused, RowCollector } from './answer-size.ts'
import { connect, type Connection, wrapErrors } from './sqlite-connection.ts'
import { ReadingThreads, readOnThread, reshapeOnThread, transactionOnThread } from './sqlite-thread.ts'
import { serialQueue } from '../concurrency.ts'

/**
 * Opens the embedded database with two connections in this process. One writes, a transaction at a time with synced
 * commits; the other reads outside of transactions without waiting. Both are synchronous, so large or slow reads run on
 * threads.
 */
export function openSqlite(file: string): Driver {
  mkdirSync(dirname(file), { recursive: true })
  const reader = connect(file, limits.quickAnswer)
  reader.database.exec('PRAGMA query_only = ON')
  // Opened on demand: each connection caches the schema, a megabyte for a large package.
  let opened: Connection | undefined
  const writer = () => (opened ??= connect(file, limits.databaseAnswer))
  /** Serialises transactions. */
  const inOrder = serialQueue()
  const threads = new ReadingThreads(file)
  return {
    dialect: 'sqlite',
    query: (statement, scope) =>
      isReading(statement.text)
        ? read(reader, threads, statement, scope)
        : inOrder(async () => writer().run(statement)),
    transaction(work, scope) {
      if (scope === undefined) return inOrder(() => transaction(writer(), work))
      if (!scope.hasSlot) return inOrder(() => smallTransaction(writer(), work))
      const late = Promise.withResolvers<never>()
      return Promise.race([inOrder(() => transactionOnThread(file, work, late.reject)), late.promise])
    },
    reshape: (work, beforeCommit) => inOrder(() => reshapeOnThread(file, work, beforeCommit)),
    longRead: work => readOnThread(file, work),
    check: async () => {
      reader.run({ text: 'SELECT 1', parameters: [] })
    },
    close: () =>
      inOrder(async () => {
        await threads.ended()
        reader.database.close()
        opened?.database.close()
      }),
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof DatabaseError && (error.kind === 'needsSlot' || error.kind === 'tooLarge')
}

async function read(
  reader: Connection,
  threads: ReadingThreads,
  statement: SqlStatement,
  scope?: AnswerScope,
): Promise<SqlResult> {
  if (scope?.isLarge) return threads.read(statement, scope)
  const collector = new RowCollector(scope, limits.quickAnswer)
  try {
    return reader.read(statement, collector)
  } catch (error) {
    collector.uncount()
    if (!isTooLarge(error)) throw error
    if (scope && !scope.hasSlot) throw answerRefused('needsSlot')
    return threads.read(statement, scope)
  }
}

/** Fails before reading a large record, which needs a slot. */
async function smallTransaction<T>(connection: Connection, work: (connection: Queries) => Promise<T>): Promise<T> {
  const { limits: largest } = connection.database
  largest.length = limits.quickAnswer
  try {
    return await transaction(connection, work)
  } catch (error) {
    throw error instanceof DatabaseError && error.kind === 'tooLarge' ? answerRefused('needsSlot') : error
  } finally {
    largest.length = limits.databaseAnswer
  }
}

async function transaction<T>(
  { database, runCounted }: Connection,
  work: (connection: Queries) => Promise<T>,
): Promise<T> {
  wrapErrors(() => database.exec('BEGIN IMMEDIATE'))
  const counted = async (statement: SqlStatement, scope?: AnswerScope): Promise<SqlResult> =>
    runCounted(statement, new RowCollector(scope))
  try {
    const result = await work({ query: counted })
    wrapErrors(() => database.exec('COMMIT'))
    return result
  } catch (error) {
    // SQLite ends the transaction itself when the disk is full.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Writes that begin like reads are refused by the read-only connection. */
function isReading(text: string): boolean {
  return /^\s*(?:SELECT|VALUES|WITH)\b/i.test(text)
}
