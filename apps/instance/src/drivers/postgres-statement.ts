import type { Connection, FieldDef, Submittable } from 'pg'
import type { AnswerScope } from '../request-scope.ts'
import type { SqlResult, SqlValue } from './driver.ts'
import { beginAnswer } from './intake.ts'
import { messages, nameBytes } from './postgres-messages.ts'

/** A text under the name by which connections know it; one without a name is parsed each time. */
export type Prepared = {
  readonly name: string
  readonly bytes: Uint8Array
  readonly text: string
  /** Those that have parsed it. */
  readonly on: WeakSet<Connection>
  /** How the columns of its rows are read, once a connection has described them. */
  readers: readonly Reader[] | null
}

type Reader = (text: string) => SqlValue
type Done = (error: Error | null, result: SqlResult) => void

const nothing: SqlResult = { rows: [], changes: 0 }
/** As many as one statement can have. */
const mostParameters = 65_535

/** Not parsed anywhere yet. */
export function prepared(name: string, text: string): Prepared {
  return { name, bytes: nameBytes(name), text, on: new WeakSet(), readers: null }
}

/**
 * One statement on its way: all that the server is told of it is one message, and columns are described once. `done` is called once, when the
 * server is ready for the next, or with the error of the server or the driver.
 */
export class SentStatement implements Submittable {
  /** When it is given up, in milliseconds of `performance.now()`. */
  readonly until: number
  seat = -1
  readonly #statement: Prepared
  readonly #parameters: readonly SqlValue[]
  readonly #scope: AnswerScope | undefined
  readonly #done: Done
  readonly #rows: SqlValue[][] = []
  #readers: readonly Reader[]
  #tag = ''
  #isOver = false

  /** `scope`: of the request that is answered what it reads. */
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
    this.#end(reason, nothing)
  }

  /** Answers why it cannot be sent, of which the driver tells `handleError`. */
  submit(connection: Connection): Error | undefined {
    if (this.#parameters.length > mostParameters) return new RangeError('A statement has too many parameters.')
    const { bytes, text, on, readers } = this.#statement
    const isKnown = on.has(connection)
    const { stream } = connection
    beginAnswer(connection, this.#scope)
    // Where it is not, the connection is ending, and says so to whoever waits.
    if (stream.writable) stream.write(messages(bytes, isKnown ? null : text, readers === null, this.#parameters))
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
    this.#end(error, nothing)
  }

  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCopyData(): void {}

  /** No text of ours copies. */
  handleCopyInResponse(connection: Connection): void {
    connection.stream.destroy()
  }

  #end(error: Error | null, result: SqlResult): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#done(error, result)
  }
}

/** A command says at its end how many rows it was about: `UPDATE 3`, `INSERT 0 1`. */
function changesIn(tag: string): number {
  const count = Number(tag.slice(tag.lastIndexOf(' ') + 1))
  return Number.isNaN(count) ? 0 : count
}

const oids = { boolean: 16, bytes: 17, int2: 21, int4: 23, float4: 700, float8: 701 }

const asBoolean: Reader = text => text === 't'
const asBytes: Reader = text => Buffer.from(text.slice(2), 'hex')
const asText: Reader = text => text

/** Numbers that are exact as such, booleans and bytes; everything else stays the text that the server wrote. */
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
