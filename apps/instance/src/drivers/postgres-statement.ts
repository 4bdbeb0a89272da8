import type { Connection, FieldDef, Submittable } from 'pg'
import type { AnswerScope } from '../request-scope.ts'
import { beginAnswer } from './answer-size.ts'
import type { SqlResult, SqlValue } from './driver.ts'

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
    beginAnswer(stream, this.#scope)
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

// Encodes the messages of a statement (protocol version 3) in one buffer, which is sent at once.

/** Type bytes of messages, and of closed objects. */
const letters = { bind: 0x42, close: 0x43, parse: 0x50, statement: 0x53 } as const
/** Execute without a limit of rows, then Sync. */
const ending = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4])
/** Describe of the portal. */
const describing = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0])

/**
 * Binds the parameters to a named statement, executes it and syncs. `text`: parses it first, replacing a statement of
 * that name; null: the connection has parsed it.
 */
function messages(
  name: Uint8Array,
  text: string | null,
  isDescribed: boolean,
  parameters: readonly SqlValue[],
): Buffer {
  const values: (string | null)[] = []
  let bindSize = 11 + name.length + 4 * parameters.length
  for (const parameter of parameters) {
    const value = sendable(parameter)
    values.push(value)
    if (value !== null) bindSize += Buffer.byteLength(value)
  }
  const textSize = text === null ? 0 : Buffer.byteLength(text) + 1
  const parseSize = text === null ? 0 : 6 + name.length + (7 + name.length + textSize)
  const described = isDescribed ? describing.length : 0
  const writer = new Writer(parseSize + 1 + bindSize + described + ending.length)
  if (text !== null) parse(writer, name, text, textSize)
  writer.head(letters.bind, bindSize)
  // The unnamed portal.
  writer.byte(0)
  writer.bytes(name)
  // Text format for all values.
  writer.int16(0)
  writer.int16(values.length)
  for (const value of values) writer.value(value)
  writer.int16(0)
  if (isDescribed) writer.bytes(describing)
  writer.bytes(ending)
  return writer.buffer
}

/** A zero-terminated name. */
function nameBytes(name: string): Uint8Array {
  return Buffer.from(`${name}\0`)
}

/**
 * Closes the statement first: a failed statement may have left it parsed, and closing a missing one is not an error.
 */
function parse(writer: Writer, name: Uint8Array, text: string, textSize: number): void {
  writer.head(letters.close, 5 + name.length)
  writer.byte(letters.statement)
  writer.bytes(name)
  writer.head(letters.parse, 6 + name.length + textSize)
  writer.bytes(name)
  writer.text(text)
  writer.byte(0)
  writer.int16(0)
}

/** The text format of a value. */
function sendable(value: SqlValue): string | null {
  if (typeof value === 'string' || value === null) return value
  if (value instanceof Uint8Array) {
    return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
  }
  return String(value)
}

/** Writes bytes directly, which is faster for few bytes than calls of the runtime. */
class Writer {
  readonly buffer: Buffer
  #at = 0

  constructor(size: number) {
    this.buffer = Buffer.allocUnsafe(size)
  }

  /** Writes the type byte, then the size, which does not include it. */
  head(letter: number, size: number): void {
    this.byte(letter)
    this.int32(size)
  }

  byte(value: number): void {
    this.buffer[this.#at] = value
    this.#at += 1
  }

  int16(value: number): void {
    this.byte(value >>> 8)
    this.byte(value)
  }

  int32(value: number): void {
    this.int16(value >>> 16)
    this.int16(value)
  }

  text(text: string): void {
    this.#at += this.buffer.write(text, this.#at)
  }

  /** A value preceded by its size, -1 for null. */
  value(text: string | null): void {
    const start = this.#at
    this.int32(-1)
    if (text === null) return
    this.text(text)
    this.buffer.writeInt32BE(this.#at - start - 4, start)
  }

  bytes(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 1) this.byte(bytes[at] ?? 0)
  }
}
