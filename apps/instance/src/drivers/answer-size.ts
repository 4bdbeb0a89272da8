import { limits } from '@cadmus/model/limits'
import { Socket } from 'node:net'
import type { AnswerScope } from '../request-scope.ts'
import { DatabaseError, type DatabaseErrorKind, type SqlRow } from './driver.ts'

/** Bytes that a server may send before the first statement. */
const signInBytes = 64 * 1024

/**
 * Counts the bytes received on a connection. Closing the socket is the only way to stop an answer that is too large:
 * the driver would buffer all of it, and a string beyond the maximum length ends the process.
 */
class AnswerCounter {
  readonly #socket: Socket
  #scope: AnswerScope | undefined
  #isSigningIn = true
  readonly #received = () => this.#count()
  #start = 0
  #counted = 0

  constructor(socket: Socket) {
    this.#socket = socket
    // Prepended, to run before the driver's listener.
    socket.prependListener('data', this.#received)
  }

  stop(): void {
    this.#socket.off('data', this.#received)
  }

  /** Starts counting for the next statement. */
  begin(scope: AnswerScope | undefined): void {
    this.#isSigningIn = false
    this.#scope = scope
    this.#start = this.#socket.bytesRead
    this.#counted = 0
  }

  #count(): void {
    const bytes = this.#socket.bytesRead - this.#start
    if (this.#isSigningIn && bytes > signInBytes) {
      this.#socket.destroy(
        new DatabaseError('unavailable', new RangeError('The server sent too much data during the sign-in.')),
      )
      return
    }
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

const counters = new WeakMap<Socket, AnswerCounter>()

/** Limits the bytes received on a new connection before the first `beginAnswer`. Returns a function that lifts the limit. */
export function beginSignIn(socket: Socket): () => void {
  const counter = new AnswerCounter(socket)
  counters.set(socket, counter)
  return () => counter.stop()
}

/** Starts counting the answer to the next statement of a connection. With TLS, its socket is not that of the sign-in. */
export function beginAnswer(socket: object | null, scope?: AnswerScope): void {
  if (!(socket instanceof Socket)) return
  if (!counters.has(socket)) beginSignIn(socket)
  counters.get(socket)?.begin(scope)
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
