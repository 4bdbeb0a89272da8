import { limits } from '@cadmus/model/limits'
import { Socket } from 'node:net'
import type { AnswerScope } from '../request-scope.ts'
import { DatabaseError, type DatabaseErrorKind, type SqlRow } from './driver.ts'

/**
 * What comes on a connection to a server. Where an answer is more than may be held nothing but the connection's end keeps the rest from
 * coming: a driver would hold all of it, and a text that is longer than one can be ends the process.
 */
class Intake {
  readonly #socket: Socket
  #scope: AnswerScope | undefined
  #begun = 0
  #counted = 0

  constructor(socket: Socket) {
    this.#socket = socket
    // Before the driver hears of it.
    socket.prependListener('data', () => this.#count())
  }

  /** The answer to the next statement begins. */
  begin(scope: AnswerScope | undefined): void {
    this.#scope = scope
    this.#begun = this.#socket.bytesRead
    this.#counted = 0
  }

  #count(): void {
    const bytes = this.#socket.bytesRead - this.#begun
    const refusal = refusalOf(bytes - this.#counted, bytes, this.#scope)
    if (refusal === null) this.#counted = bytes
    else {
      this.#scope?.giveBack(this.#counted)
      this.#scope = undefined
      this.#socket.destroy(notTaken(refusal))
    }
  }
}

/** Milliseconds that a statement may still take where its caller is gone: most are over by then, and their connections stay. */
export const grace = 100

/** Calls `leave` where the caller goes and the statement goes on; answers how to say that it is over. */
export function untilGone(scope: AnswerScope, leave: () => void): () => void {
  let isOver = false
  const wait = () => {
    setTimeout(() => {
      if (!isOver) leave()
    }, grace).unref()
  }
  scope.atEnd(wait)
  return () => {
    isOver = true
    scope.notAtEnd(wait)
  }
}

const intakes = new WeakMap<object, Intake>()

/** Says that the connection is asked the next statement, whose answer may be as large as an answer may be. */
export function beginAnswer(connection: object, scope?: AnswerScope): void {
  const known = intakes.get(connection)
  if (known) return known.begin(scope)
  if (!('stream' in connection) || !(connection.stream instanceof Socket)) return
  const intake = new Intake(connection.stream)
  intakes.set(connection, intake)
  intake.begin(scope)
}

/** Counts rows that are read one by one. Throws a `DatabaseError` where no more of them may be held. */
export class RowIntake {
  readonly rows: SqlRow[] = []
  readonly #scope: AnswerScope | undefined
  readonly #most: number
  #bytes = 0

  /** `most`: bytes that are read here, where more is read elsewhere. */
  constructor(scope: AnswerScope | undefined, most = Number.POSITIVE_INFINITY) {
    this.#scope = scope
    this.#most = most
  }

  take(row: SqlRow): void {
    const refusal = this.offer(row)
    if (refusal !== null) throw refusal
  }

  /** Takes the row, or answers why not. */
  offer(row: SqlRow): DatabaseError | null {
    const bytes = bytesOf(row)
    const sum = this.#bytes + bytes
    const refusal = sum > this.#most ? 'needsSlot' : refusalOf(bytes, sum, this.#scope)
    if (refusal !== null) return notTaken(refusal)
    this.#bytes = sum
    this.rows.push(row)
    return null
  }

  /** Nothing of it is used. */
  giveBack(): void {
    this.#scope?.giveBack(this.#bytes)
    this.#bytes = 0
  }
}

/** About as much as its values have of characters and bytes. */
export function bytesOf(row: SqlRow): number {
  let bytes = 0
  for (const value of row) {
    if (typeof value === 'string') bytes += value.length
    else bytes += value instanceof Uint8Array ? value.byteLength : 8
  }
  return bytes
}

/** `more`: what comes to the `sum` of a statement. */
function refusalOf(more: number, sum: number, scope: AnswerScope | undefined): DatabaseErrorKind | null {
  if (scope) return scope.take(more)
  return sum > limits.databaseAnswer ? 'tooLarge' : null
}

export function notTaken(refusal: DatabaseErrorKind): DatabaseError {
  return new DatabaseError(refusal, new RangeError('No more of the answer is taken.'))
}
