import type { Connection, FieldDef, Submittable } from 'pg'
import type { AnswerScope } from '../request-scope.ts'
import type { SqlResult, SqlValue } from './driver.ts'
import { beginAnswer } from './answer-size.ts'
import { messages, nameBytes } from './postgres-messages.ts'

/** A statement text and its prepared name; unnamed ones are parsed each time. */
export type Prepared = {
  readonly name: string
  readonly bytes: Uint8Array
  readonly text: string
  /** The connections that have parsed it. */
  readonly on: WeakSet<Connection>
  /** Column readers, known after the first description. */
  readers: readonly Reader[] | null
}

type Reader = (text: string) => SqlValue
type Done = (error: Error | null, result: SqlResult) => void

const emptyResult: SqlResult = { rows: [], changes: 0 }
/** The limit of the protocol. */
const maxParameters = 65_535

/** Creates a statement that no connection has parsed. */
export function prepared(name: string, text: string): Prepared {
  return { name, bytes: nameBytes(name), text, on: new WeakSet(), readers: null }
}

/**
 * A running statement, sent as one message; columns are described once. `done` is called once, when the server is ready
 * or with an error.
 */
export class SentStatement implements Submittable {
  /** Deadline, in milliseconds of `performance.now()`. */
  readonly until: number
  slotIndex = -1
  readonly #statement: Prepared
  readonly #parameters: readonly SqlValue[]
  readonly #scope: AnswerScope | undefined
  readonly #done: Done
  readonly #rows: SqlValue[][] = []
  #readers: readonly Reader[]
  #tag = ''
  #isOver = false

  /** `scope` counts the result as part of an answer. */
  constructor(
    statement: Prepared,
    parameters: readonly SqlValue[],
    scope: AnswerScope | undefined,
    until: number,
    done: Done,
  ) {
    this.until = until
    this.#statement = statement
    this.#parameters = parameters
    this.#scope = scope
    this.#readers = statement.readers ?? []
    this.#done = done
  }

  get isOver(): boolean {
    return this.#isOver
  }

  giveUp(reason: Error): void {
    this.#end(reason, emptyResult)
  }

  /** Returns an error if the statement cannot be sent; the driver passes it to `handleError`. */
  submit(connection: Connection): Error | undefined {
    if (this.#parameters.length > maxParameters) return new RangeError('A statement has too many parameters.')
    const { bytes, text, on, readers } = this.#statement
    const isParsed = on.has(connection)
    const { stream } = connection
    beginAnswer(connection, this.#scope)
    // A closing connection reports its error itself.
    if (stream.writable) stream.write(messages(bytes, isParsed ? null : text, readers === null, this.#parameters))
    return undefined
  }

  handleRowDescription({ fields }: { fields: readonly FieldDef[] }): void {
    this.#readers = fields.map(({ dataTypeID }) => readerOf(dataTypeID))
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: SqlValue[] = []
    for (let at = 0; at < fields.length; at += 1) {
      const field = fields[at] ?? null
      row.push(field === null ? null : (this.#readers[at] ?? asText)(field))
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#tag = text
  }

  handleReadyForQuery(connection: Connection): void {
    const { name, on } = this.#statement
    if (name !== '' && !on.has(connection)) on.add(connection)
    this.#statement.readers ??= this.#readers
    this.#end(null, { rows: this.#rows, changes: changesIn(this.#tag) })
  }

  handleError(error: Error): void {
    this.#end(error, emptyResult)
  }

  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCopyData(): void {}

  /** COPY is not used. */
  handleCopyInResponse(connection: Connection): void {
    connection.stream.destroy()
  }

  #end(error: Error | null, result: SqlResult): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#done(error, result)
  }
}

/** Command tags end with the number of rows: `UPDATE 3`, `INSERT 0 1`. */
function changesIn(tag: string): number {
  const count = Number(tag.slice(tag.lastIndexOf(' ') + 1))
  return Number.isNaN(count) ? 0 : count
}

const oids = { boolean: 16, bytes: 17, int2: 21, int4: 23, float4: 700, float8: 701 }

const asBoolean: Reader = text => text === 't'
const asBytes: Reader = text => Buffer.from(text.slice(2), 'hex')
const asText: Reader = text => text

/** Converts exact numbers, booleans and bytes; other values remain strings. */
function readerOf(oid: number): Reader {
  switch (oid) {
    case oids.boolean:
      return asBoolean
    case oids.bytes:
      return asBytes
    case oids.int2:
    case oids.int4:
    case oids.float4:
    case oids.float8:
      return Number
    default:
      return asText
  }
}
