import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { DatabaseError, type DatabaseErrorKind, type Queries, type SqlResult } from './driver.ts'

/** What the thread answers to a statement. */
export type ThreadAnswer =
  | { readonly result: SqlResult }
  | { readonly kind: DatabaseErrorKind; readonly message: string }

/** What the thread is sent at its end. */
export const endOfThread = 'end'

/** Reads on a connection of a thread that ends with the work: they may take their time, and hold up nobody here. */
export function readOnThread<T>(file: string, work: (connection: Queries) => Promise<T>): Promise<T> {
  return threaded(file, async connection => {
    await connection.query({ text: 'PRAGMA query_only = ON', parameters: [] })
    return work(connection)
  })
}

/** A dropped table would take with it what refers to it: foreign keys are looked at when all is changed. */
export function reshapeOnThread<T>(
  file: string,
  work: (connection: Queries) => Promise<T>,
  beforeCommit: () => void,
): Promise<T> {
  return threaded(file, async connection => {
    const run = (text: string) => connection.query({ text, parameters: [] })
    await run('PRAGMA foreign_keys = OFF')
    await run('BEGIN IMMEDIATE')
    // What is thrown in between closes the connection, and so takes all back.
    const result = await work(connection)
    const unkept = await run('SELECT 1 FROM pragma_foreign_key_check LIMIT 1')
    if (unkept.rows.length > 0) throw new DatabaseError('foreignKey', new Error('Foreign keys do not hold.'))
    beforeCommit()
    await run('COMMIT')
    return result
  })
}

async function threaded<T>(file: string, work: (connection: Queries) => Promise<T>): Promise<T> {
  // Beside this file, among the sources as in the bundle.
  const program = new URL(`sqlite-worker${extname(import.meta.url)}`, import.meta.url)
  const thread = new Worker(program, { workerData: file })
  const gone = once(thread, 'exit')
  const ended = gone.then(
    ([code]) => Promise.reject(new DatabaseError('unavailable', new Error(`The thread ended with ${code}.`))),
    (error: unknown) => Promise.reject(new DatabaseError('unavailable', error)),
  )
  ended.catch(() => undefined)
  let last: Promise<unknown> = Promise.resolve()
  const query: Queries['query'] = statement => {
    const mine = last.then(async () => {
      thread.postMessage(statement)
      const [answer]: ThreadAnswer[] = await Promise.race([once(thread, 'message'), ended])
      return resultOf(answer)
    })
    last = mine.catch(() => undefined)
    return mine
  }
  try {
    return await work({ query })
  } finally {
    // It closes its connection first, which takes back what was not committed.
    thread.postMessage(endOfThread)
    await gone.catch(() => undefined)
  }
}

function resultOf(answer: ThreadAnswer | undefined): SqlResult {
  if (answer !== undefined && 'result' in answer) return answer.result
  throw new DatabaseError(answer?.kind ?? 'other', new Error(answer?.message ?? 'No answer.'))
}
