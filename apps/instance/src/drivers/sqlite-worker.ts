import { parentPort, workerData } from 'node:worker_threads'
import { DatabaseError, type SqlStatement } from './driver.ts'
import { connect } from './sqlite-connection.ts'
import { endOfThread, type ThreadAnswer } from './sqlite-thread.ts'

// A thread of `sqlite-thread.ts`: one connection to the file that it was given, a statement at a time.

const { database, run } = connect(String(workerData))

parentPort?.on('message', (message: SqlStatement | typeof endOfThread) => {
  if (message !== endOfThread) return parentPort?.postMessage(answerTo(message))
  database.close()
  parentPort?.close()
})

function answerTo(statement: SqlStatement): ThreadAnswer {
  try {
    return { result: run(statement) }
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    const { kind, cause } = error
    return { kind, message: cause instanceof Error ? cause.message : String(cause) }
  }
}
