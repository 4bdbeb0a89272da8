import type { SqlValue } from './driver.ts'

// The messages of a statement as PostgreSQL's protocol (version 3) has them, all of them in one piece of memory: they are sent at once.

/** Execute without a limit of rows, then Sync. */
const ending = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4])
/** Describe of what was bound. */
const describing = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0])

/**
 * Binds the values to the statement of the name, executes it, and ends there. `text`: it is parsed before, in the place of what may have the
 * name; null: the connection has it.
 */
export function messages(
  name: string,
  text: string | null,
  isDescribed: boolean,
  parameters: readonly SqlValue[],
): Buffer {
  const values = parameters.map(sendable)
  const lengths = values.map(value => (value === null ? 0 : Buffer.byteLength(value)))
  const nameSize = Buffer.byteLength(name) + 1
  const bindSize = lengths.reduce((sum, length) => sum + length, 11 + nameSize + 4 * values.length)
  const textSize = text === null ? 0 : Buffer.byteLength(text) + 1
  const parseSize = text === null ? 0 : 6 + nameSize + (7 + nameSize + textSize)
  const described = isDescribed ? describing.length : 0
  const writer = new Writer(parseSize + 1 + bindSize + described + ending.length)
  if (text !== null) parse(writer, name, nameSize, text, textSize)
  writer.head('B', bindSize)
  writer.text('', 1)
  writer.text(name, nameSize)
  // All values come and go as texts.
  writer.int16(0)
  writer.int16(values.length)
  for (let at = 0; at < values.length; at += 1) writer.value(values[at] ?? null, lengths[at] ?? 0)
  writer.int16(0)
  if (isDescribed) writer.bytes(describing)
  writer.bytes(ending)
  return writer.buffer
}

/** To close what is not there is no error, and what was parsed by a statement that failed may be there. */
function parse(writer: Writer, name: string, nameSize: number, text: string, textSize: number): void {
  writer.head('C', 5 + nameSize)
  writer.letter('S')
  writer.text(name, nameSize)
  writer.head('P', 6 + nameSize + textSize)
  writer.text(name, nameSize)
  writer.text(text, textSize)
  writer.int16(0)
}

/** The form in which the server reads a value of any type. */
function sendable(value: SqlValue): string | null {
  if (typeof value === 'string' || value === null) return value
  if (value instanceof Uint8Array) {
    return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
  }
  return String(value)
}

class Writer {
  readonly buffer: Buffer
  #at = 0

  constructor(size: number) {
    this.buffer = Buffer.allocUnsafe(size)
  }

  /** The letter of a message, and its size without that. */
  head(letter: string, size: number): void {
    this.letter(letter)
    this.#at = this.buffer.writeInt32BE(size, this.#at)
  }

  letter(letter: string): void {
    this.#at = this.buffer.writeUInt8(letter.charCodeAt(0), this.#at)
  }

  int16(value: number): void {
    this.#at = this.buffer.writeUInt16BE(value, this.#at)
  }

  /** A text with the zero at its end; `size`: of both. */
  text(text: string, size: number): void {
    this.buffer.write(text, this.#at)
    this.#at = this.buffer.writeUInt8(0, this.#at + size - 1)
  }

  value(text: string | null, size: number): void {
    this.#at = this.buffer.writeInt32BE(text === null ? -1 : size, this.#at)
    if (text === null) return
    this.buffer.write(text, this.#at)
    this.#at += size
  }

  bytes(bytes: Buffer): void {
    this.buffer.set(bytes, this.#at)
    this.#at += bytes.length
  }
}
