import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { limits } from '@cadmus/model/limits'
import type { AnswerScope } from '../request-scope.ts'
import { DatabaseError, type DatabaseErrorKind, type Queries, type SqlResult, type SqlStatement } from './driver.ts'
import { notTaken, RowIntake, untilGone } from './intake.ts'

/** What the thread answers to a statement: its rows in parts. */
type Part = { readonly result: SqlResult; readonly isLast: boolean }
export type ThreadAnswer = Part | { readonly kind: DatabaseErrorKind; readonly message: string }

/** What the thread is sent for the next part of an answer, and at its end. */
export const nextPart = 'next'
export const endOfThread = 'end'
export type ThreadMessage = SqlStatement | typeof nextPart | typeof endOfThread

/** What the thread is started with; `largest`: bytes of a value. */
export type ThreadFile = { readonly file: string; readonly largest?: number }

/** Reads on a connection of a thread that ends with the work: they may take their time, and hold up nobody here. */
export function readOnThread<T>(file: string, work: (connection: Queries) => Promise<T>): Promise<T> {
  return threaded({ file }, async connection => {
    await connection.query({ text: 'PRAGMA query_only = ON', parameters: [] })
    return work(connection)
  })
}

/** Milliseconds for one statement that somebody waits for. */
const statementTime = 30_000

/** So many read from a file at once; more than have slots, as one ends only with the step that it is at. */
const mostThreads = 2 * limits.largeAnswersAtOnce

/** Read large answers as far as their scopes take them, each on a thread of its own; those of one request one after the other. */
export class ReadingThreads {
  readonly #file: string
  readonly #underWay = new Set<Promise<unknown>>()

  constructor(file: string) {
    this.#file = file
  }

  read(statement: SqlStatement, scope?: AnswerScope): Promise<SqlResult> {
    if (scope === undefined) return this.#read(statement)
    return scope.inTurn(async () => {
      scope.requireCaller()
      return this.#read(statement, scope)
    })
  }

  async ended(): Promise<void> {
    await Promise.allSettled(this.#underWay)
  }

  /** Who is gone, or waited too long, does not wait for the thread. */
  async #read(statement: SqlStatement, scope?: AnswerScope): Promise<SqlResult> {
    if (this.#underWay.size >= mostThreads) throw new DatabaseError('unavailable', new Error('All threads read.'))
    const answer = Promise.withResolvers<SqlResult>()
    const work = readLarge(this.#file, statement, scope, answer)
    this.#underWay.add(work)
    work.then(answer.resolve, answer.reject).finally(() => this.#underWay.delete(work))
    return answer.promise
  }
}

/** Rejects `answer` where nobody waits for it any longer. */
function readLarge(
  file: string,
  statement: SqlStatement,
  scope: AnswerScope | undefined,
  answer: PromiseWithResolvers<SqlResult>,
): Promise<SqlResult> {
  return threaded({ file, largest: limits.databaseAnswer }, async connection => {
    await connection.query({ text: 'PRAGMA query_only = ON', parameters: [] })
    const leave = (reason: DatabaseError) => {
      answer.reject(reason)
      ended.reject(reason)
    }
    const ended = Promise.withResolvers<never>()
    const late = setTimeout(() => leave(new DatabaseError('unavailable', new Error('Too late.'))), statementTime)
    const over = scope && untilGone(scope, () => leave(notTaken('gone')))
    try {
      return await Promise.race([connection.query(statement, scope), ended.promise])
    } finally {
      clearTimeout(late)
      over?.()
    }
  })
}

/** What is thrown in between closes the connection, and so takes all back. */
export function transactionOnThread<T>(file: string, work: (connection: Queries) => Promise<T>): Promise<T> {
  return threaded({ file, largest: limits.databaseAnswer }, async connection => {
    const run = (text: string) => connection.query({ text, parameters: [] })
    await run('BEGIN IMMEDIATE')
    const result = await work(connection)
    await run('COMMIT')
    return result
  })
}

/** A dropped table would take with it what refers to it: foreign keys are looked at when all is changed. */
export function reshapeOnThread<T>(
  file: string,
  work: (connection: Queries) => Promise<T>,
  beforeCommit: () => void,
): Promise<T> {
  return threaded({ file }, async connection => {
    const run = (text: string) => connection.query({ text, parameters: [] })
    await run('PRAGMA foreign_keys = OFF')
    await run('BEGIN IMMEDIATE')
    const result = await work(connection)
    const unkept = await run('SELECT 1 FROM pragma_foreign_key_check LIMIT 1')
    if (unkept.rows.length > 0) throw new DatabaseError('foreignKey', new Error('Foreign keys do not hold.'))
    beforeCommit()
    await run('COMMIT')
    return result
  })
}

async function threaded<T>(file: ThreadFile, work: (connection: Queries) => Promise<T>): Promise<T> {
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
  const query: Queries['query'] = (statement, scope) => {
    const mine = last.then(() => answered(statement, new RowIntake(scope)))
    last = mine.catch(() => undefined)
    return mine
  }
  const answered = async (statement: SqlStatement, intake: RowIntake): Promise<SqlResult> => {
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
    // It closes its connection first, which takes back what was not committed.
    thread.postMessage(endOfThread)
    await gone.catch(() => undefined)
  }
}

function partOf(answer: ThreadAnswer | undefined): Part {
  if (answer !== undefined && 'result' in answer) return answer
  throw new DatabaseError(answer?.kind ?? 'other', new Error(answer?.message ?? 'No answer.'))
}
