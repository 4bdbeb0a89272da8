import { limits } from '@cadmus/model/limits'
import { Socket } from 'node:net'
import type { AnswerScope } from '../request-scope.ts'
import { DatabaseError, type DatabaseErrorKind, type SqlRow } from './driver.ts'

/**
 * Counts the bytes received on a connection. Closing the socket is the only way to stop an answer that is too large:
 * the driver would buffer all of it, and a string beyond the maximum length ends the process.
 */
class AnswerCounter {
  readonly #socket: Socket
  #scope: AnswerScope | undefined
  #start = 0
  #counted = 0

  constructor(socket: Socket) {
    this.#socket = socket
    // Prepended, to run before the driver's listener.
    socket.prependListener('data', () => this.#count())
  }

  /** Starts counting for the next statement. */
  begin(scope: AnswerScope | undefined): void {
    this.#scope = scope
    this.#start = this.#socket.bytesRead
    this.#counted = 0
  }

  #count(): void {
    const bytes = this.#socket.bytesRead - this.#start
    const refusal = refusalOf(bytes - this.#counted, bytes, this.#scope)
    if (refusal === null) this.#counted = bytes
    else {
      this.#scope?.uncount(this.#counted)
      this.#scope = undefined
      this.#socket.destroy(answerRefused(refusal))
    }
  }
}

/**
 * How long a statement may continue after its caller has disconnected, in milliseconds; most end within that time,
 * which keeps their connections.
 */
export const cancelDelay = 100

/** Calls `leave` if the caller disconnects before the statement ends. Returns the function to call at its end. */
export function onCallerGone(scope: AnswerScope, leave: () => void): () => void {
  let isOver = false
  const wait = () => {
    setTimeout(() => {
      if (!isOver) leave()
    }, cancelDelay).unref()
  }
  scope.onEnd(wait)
  return () => {
    isOver = true
    scope.offEnd(wait)
  }
}

const counters = new WeakMap<object, AnswerCounter>()

/** Starts counting the answer to the next statement of a connection. */
export function beginAnswer(connection: object, scope?: AnswerScope): void {
  const counter = counters.get(connection)
  if (counter) return counter.begin(scope)
  if (!('stream' in connection) || !(connection.stream instanceof Socket)) return
  const intake = new AnswerCounter(connection.stream)
  counters.set(connection, intake)
  intake.begin(scope)
}

/** Collects rows one by one and counts their bytes. Throws a `DatabaseError` beyond the limit. */
export class RowCollector {
  readonly rows: SqlRow[] = []
  readonly #scope: AnswerScope | undefined
  readonly #max: number
  #bytes = 0

  /** `max`: a byte limit beyond which the error is `needsSlot`. */
  constructor(scope: AnswerScope | undefined, max = Number.POSITIVE_INFINITY) {
    this.#scope = scope
    this.#max = max
  }

  take(row: SqlRow): void {
    const refusal = this.offer(row)
    if (refusal !== null) throw refusal
  }

  /** Adds a row, or returns the error that refuses it. */
  offer(row: SqlRow): DatabaseError | null {
    const bytes = bytesOf(row)
    const sum = this.#bytes + bytes
    const refusal = sum > this.#max ? 'needsSlot' : refusalOf(bytes, sum, this.#scope)
    if (refusal !== null) return answerRefused(refusal)
    this.#bytes = sum
    this.rows.push(row)
    return null
  }

  /** Discards the rows. */
  uncount(): void {
    this.#scope?.uncount(this.#bytes)
    this.#bytes = 0
  }
}

/** An estimate: characters and bytes of the values. */
export function bytesOf(row: SqlRow): number {
  let bytes = 0
  for (const value of row) {
    if (typeof value === 'string') bytes += value.length
    else bytes += value instanceof Uint8Array ? value.byteLength : 8
  }
  return bytes
}

/** `more`: the bytes added to the `sum` of a statement. */
function refusalOf(more: number, sum: number, scope: AnswerScope | undefined): DatabaseErrorKind | null {
  if (scope) return scope.take(more)
  return sum > limits.databaseAnswer ? 'tooLarge' : null
}

export function answerRefused(refusal: DatabaseErrorKind): DatabaseError {
  return new DatabaseError(refusal, new RangeError('The rest of the answer is refused.'))
}
