import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { limits } from '@cadmus/model/limits'
import type { AnswerScope } from '../request-scope.ts'
import { DatabaseError, type DatabaseErrorKind, type Queries, type SqlResult, type SqlStatement } from './driver.ts'
import { answerRefused, RowCollector, onCallerGone } from './answer-size.ts'

/** A part of the rows of a statement. */
type Part = { readonly result: SqlResult; readonly isLast: boolean }
export type ThreadAnswer = Part | { readonly kind: DatabaseErrorKind; readonly message: string }

/** Messages that request the next part or end the thread. */
export const nextPart = 'next'
export const endOfThread = 'end'
export type ThreadMessage = SqlStatement | typeof nextPart | typeof endOfThread

/** Start parameters of the thread; `largest`: the maximum bytes of a value. */
export type ThreadFile = { readonly file: string; readonly largest?: number }

/** Runs reads on a thread of their own, so that slow ones do not block the process. */
export function readOnThread<T>(file: string, work: (connection: Queries) => Promise<T>): Promise<T> {
  return withThread({ file }, async connection => {
    await connection.query({ text: 'PRAGMA query_only = ON', parameters: [] })
    return work(connection)
  })
}

/** Statement timeout in milliseconds. */
const statementTime = 30_000

/** Maximum threads per file: more than slots, because an abandoned thread ends only after its current step. */
const maxThreads = 2 * limits.largeAnswersAtOnce

/** Runs large reads, each on its own thread; those of one request in sequence. */
export class ReadingThreads {
  readonly #file: string
  readonly #running = new Set<Promise<unknown>>()

  constructor(file: string) {
    this.#file = file
  }

  read(statement: SqlStatement, scope?: AnswerScope): Promise<SqlResult> {
    if (scope === undefined) return this.#read(statement)
    return scope.inOrder(async () => {
      scope.requireCaller()
      return this.#read(statement, scope)
    })
  }

  async ended(): Promise<void> {
    await Promise.allSettled(this.#running)
  }

  /** Callers that leave or time out do not wait for the thread. */
  async #read(statement: SqlStatement, scope?: AnswerScope): Promise<SqlResult> {
    if (this.#running.size >= maxThreads) throw new DatabaseError('unavailable', new Error('All threads are in use.'))
    const answer = Promise.withResolvers<SqlResult>()
    const work = readLarge(this.#file, statement, scope, answer)
    this.#running.add(work)
    work.then(answer.resolve, answer.reject).finally(() => this.#running.delete(work))
    return answer.promise
  }
}

/** A connection whose statements time out. `late` is called first, as the thread ends only after its current step. */
function withTimeout(connection: Queries, late: (reason: DatabaseError) => void): Queries {
  return {
    async query(statement, scope) {
      const ended = Promise.withResolvers<never>()
      const timer = setTimeout(() => {
        const reason = new DatabaseError('unavailable', new Error('The statement timed out.'))
        late(reason)
        ended.reject(reason)
      }, statementTime)
      try {
        return await Promise.race([connection.query(statement, scope), ended.promise])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** Rejects `answer` when the caller disconnects or the statement times out. */
function readLarge(
  file: string,
  statement: SqlStatement,
  scope: AnswerScope | undefined,
  answer: PromiseWithResolvers<SqlResult>,
): Promise<SqlResult> {
  return withThread({ file, largest: limits.databaseAnswer }, async connection => {
    await connection.query({ text: 'PRAGMA query_only = ON', parameters: [] })
    const ended = Promise.withResolvers<never>()
    const leave = () => {
      answer.reject(answerRefused('gone'))
      ended.reject(answerRefused('gone'))
    }
    const stop = scope && onCallerGone(scope, leave)
    const reading = withTimeout(connection, answer.reject).query(statement, scope)
    return await Promise.race([reading, ended.promise]).finally(stop)
  })
}

/**
 * An error closes the connection, which rolls back. A history entry has a record twice, as escaped JSON. `late` is called
 * if a statement times out, before the thread has ended.
 */
export function transactionOnThread<T>(
  file: string,
  work: (connection: Queries) => Promise<T>,
  late: (reason: DatabaseError) => void,
): Promise<T> {
  return withThread({ file, largest: 4 * limits.databaseAnswer }, async connection => {
    const run = (text: string) => connection.query({ text, parameters: [] })
    await run('BEGIN IMMEDIATE')
    const result = await work(withTimeout(connection, late))
    await run('COMMIT')
    return result
  })
}

/** Foreign keys are checked at the end, because dropping a table would delete its referrers. */
export function reshapeOnThread<T>(
  file: string,
  work: (connection: Queries) => Promise<T>,
  beforeCommit: () => void,
): Promise<T> {
  return withThread({ file }, async connection => {
    const run = (text: string) => connection.query({ text, parameters: [] })
    await run('PRAGMA foreign_keys = OFF')
    await run('BEGIN IMMEDIATE')
    const result = await work(connection)
    const violations = await run('SELECT 1 FROM pragma_foreign_key_check LIMIT 1')
    if (violations.rows.length > 0) throw new DatabaseError('foreignKey', new Error('Foreign keys are violated.'))
    beforeCommit()
    await run('COMMIT')
    return result
  })
}

async function withThread<T>(file: ThreadFile, work: (connection: Queries) => Promise<T>): Promise<T> {
  // The program is next to this file, in the sources and in the bundle.
  const program = new URL(`sqlite-worker${extname(import.meta.url)}`, import.meta.url)
  const thread = new Worker(program, { workerData: file })
  const exited = once(thread, 'exit')
  const ended = exited.then(
    ([code]) => Promise.reject(new DatabaseError('unavailable', new Error(`The thread ended with ${code}.`))),
    (error: unknown) => Promise.reject(new DatabaseError('unavailable', error)),
  )
  ended.catch(() => undefined)
  let last: Promise<unknown> = Promise.resolve()
  const query: Queries['query'] = (statement, scope) => {
    const result = last.then(() => execute(statement, new RowCollector(scope)))
    last = result.catch(() => undefined)
    return result
  }
  const execute = async (statement: SqlStatement, intake: RowCollector): Promise<SqlResult> => {
    let changes = 0
    for (let message: ThreadMessage = statement; ; message = nextPart) {
      thread.postMessage(message)
      const [answer]: ThreadAnswer[] = await Promise.race([once(thread, 'message'), ended])
      const { result, isLast } = partOf(answer)
      for (const row of result.rows) intake.take(row)
      changes += result.changes
      if (isLast) return { rows: intake.rows, changes }
    }
  }
  try {
    return await work({ query })
  } finally {
    // The thread closes its connection first, which rolls back uncommitted changes.
    thread.postMessage(endOfThread)
    await exited.catch(() => undefined)
  }
}

function partOf(answer: ThreadAnswer | undefined): Part {
  if (answer !== undefined && 'result' in answer) return answer
  throw new DatabaseError(answer?.kind ?? 'other', new Error(answer?.message ?? 'No answer.'))
}
