import { limits } from '@cadmus/model/limits'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Driver } from './driver.ts'
import { connect, type Connection, told } from './sqlite-connection.ts'
import { readOnThread, reshapeOnThread } from './sqlite-thread.ts'

/**
 * The embedded database: a file with two connections of this process. One writes, a transaction at a time and every commit synced to
 * the disk; the other answers what is asked outside of transactions, and never waits. Statements are synchronous: the lists of a
 * package are bounded, and so are they. What may take long is done on a thread of its own.
 */
export function openSqlite(file: string): Driver {
  mkdirSync(dirname(file), { recursive: true })
  const reader = connect(file, limits.databaseAnswer)
  reader.database.exec('PRAGMA query_only = ON')
  // Each knows the whole schema, of a large package a megabyte: who is only read has one.
  let opened: Connection | undefined
  const writer = () => (opened ??= connect(file, limits.databaseAnswer))
  let last: Promise<unknown> = Promise.resolve()
  /** Waits for the transaction before, and lets nobody in before its own end. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
  return {
    dialect: 'sqlite',
    query: async statement =>
      isReading(statement.text) ? reader.run(statement) : inTurn(async () => writer().run(statement)),
    transaction: work => inTurn(async () => transaction(writer(), work)),
    reshape: (work, beforeCommit) => inTurn(() => reshapeOnThread(file, work, beforeCommit)),
    unhurried: work => readOnThread(file, work),
    check: async () => {
      reader.run({ text: 'SELECT 1', parameters: [] })
    },
    close: () =>
      inTurn(async () => {
        reader.database.close()
        opened?.database.close()
      }),
  }
}

async function transaction<T>(
  { database, run }: Connection,
  work: (connection: { query: Driver['query'] }) => Promise<T>,
): Promise<T> {
  told(() => database.exec('BEGIN IMMEDIATE'))
  try {
    const result = await work({ query: async statement => run(statement) })
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
