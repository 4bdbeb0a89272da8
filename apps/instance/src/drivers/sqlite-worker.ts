import { limits } from '@cadmus/model/limits'
import { parentPort, workerData } from 'node:worker_threads'
import { DatabaseError, type SqlResult } from './driver.ts'
import { connect, wrapErrors } from './sqlite-connection.ts'
import { endOfThread, nextPart, type ThreadAnswer, type ThreadFile, type ThreadMessage } from './sqlite-thread.ts'

// A thread of `sqlite-thread.ts` with one connection, running one statement at a time.

const { file, largest }: ThreadFile = workerData
const { database, parts } = connect(file, largest)

type Parts = Generator<SqlResult, SqlResult>

let answer: Parts | null = null

parentPort?.on('message', (message: ThreadMessage) => {
  if (message === endOfThread) {
    database.close()
    return parentPort?.close()
  }
  if (message !== nextPart) answer = parts(message, limits.quickAnswer)
  if (answer !== null) parentPort?.postMessage(nextOf(answer))
})

function nextOf(answer: Parts): ThreadAnswer {
  try {
    const { value, done } = wrapErrors(() => answer.next())
    return { result: value, isLast: done === true }
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    const { kind, cause } = error
    return { kind, message: cause instanceof Error ? cause.message : String(cause) }
  }
}
