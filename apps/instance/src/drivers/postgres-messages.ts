import type { SqlValue } from './driver.ts'

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
export function messages(
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
export function nameBytes(name: string): Uint8Array {
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

  /** The type byte and the size without it. */
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
