import { crc32 } from 'node:zlib'
import { Deflater } from './deflater.ts'

const localLength = 30
const entryLength = 46
const endLength = 22
/** 1 January 1980, 00:00, the earliest date in the zip format. */
const date = 0x21
/** Version 2.0 (deflate); made on Unix; regular file with mode 0644. */
const version = 20
const madeOnUnix = (3 << 8) | version
const plainFile = 0o100644
const utf8 = 0x800

type Entry = { name: Uint8Array; flags: number; method: number; crc: number; packed: number; size: number; at: number }

/** Writes a zip incrementally into one growing buffer. Without ZIP64: at most 65,534 files and 4 GB. */
export class ZipWriter {
  readonly #deflater = new Deflater()
  readonly #encoder = new TextEncoder()
  readonly #entries: Entry[] = []
  #text = new Uint8Array(64 * 1024)
  #bytes = new Uint8Array(1024 * 1024)
  #view = new DataView(this.#bytes.buffer)
  #at = 0

  /** Compresses the content if that makes it smaller. */
  add(path: string, content: Uint8Array | string): void {
    const name = this.#encoder.encode(path)
    const whole = typeof content === 'string' ? this.#encoded(content) : content
    const deflated = this.#deflater.deflated(whole)
    const isSmaller = deflated.length < whole.length
    const packed = isSmaller ? deflated : whole
    const entry: Entry = {
      name,
      flags: name.length === path.length ? 0 : utf8,
      method: isSmaller ? 8 : 0,
      crc: crc32(whole),
      packed: packed.length,
      size: whole.length,
      at: this.#at,
    }
    this.#entries.push(entry)
    this.#makeRoom(localLength + name.length + packed.length)
    this.#view.setUint32(this.#at, 0x04034b50, true)
    this.#describe(this.#at + 4, entry)
    this.#at += localLength
    this.#put(name)
    this.#put(packed)
  }

  /** Appends the central directory and returns the complete zip. */
  end(): Uint8Array {
    const start = this.#at
    for (const entry of this.#entries) {
      this.#makeRoom(entryLength + entry.name.length)
      this.#view.setUint32(this.#at, 0x02014b50, true)
      this.#view.setUint16(this.#at + 4, madeOnUnix, true)
      this.#describe(this.#at + 6, entry)
      this.#view.setUint32(this.#at + 38, plainFile * 2 ** 16, true)
      this.#view.setUint32(this.#at + 42, entry.at, true)
      this.#at += entryLength
      this.#put(entry.name)
    }
    const size = this.#at - start
    this.#makeRoom(endLength)
    this.#view.setUint32(this.#at, 0x06054b50, true)
    this.#view.setUint16(this.#at + 8, this.#entries.length, true)
    this.#view.setUint16(this.#at + 10, this.#entries.length, true)
    this.#view.setUint32(this.#at + 12, size, true)
    this.#view.setUint32(this.#at + 16, start, true)
    // A copy of the exact size can be transferred to another thread.
    return this.#bytes.slice(0, this.#at + endLength)
  }

  /** Writes the fields that local header and central directory share. */
  #describe(at: number, { name, flags, method, crc, packed, size }: Entry): void {
    this.#view.setUint16(at, version, true)
    this.#view.setUint16(at + 2, flags, true)
    this.#view.setUint16(at + 4, method, true)
    this.#view.setUint16(at + 8, date, true)
    this.#view.setUint32(at + 10, crc, true)
    this.#view.setUint32(at + 14, packed, true)
    this.#view.setUint32(at + 18, size, true)
    this.#view.setUint16(at + 22, name.length, true)
  }

  /** Valid until the next call. A UTF-16 unit takes at most three bytes. */
  #encoded(text: string): Uint8Array {
    const max = text.length * 3
    if (this.#text.length < max) this.#text = new Uint8Array(max)
    return this.#text.subarray(0, this.#encoder.encodeInto(text, this.#text).written)
  }

  #put(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#at)
    this.#at += bytes.length
  }

  /** Relies on new memory being zeroed; each byte is written once. */
  #makeRoom(more: number): void {
    if (this.#at + more <= this.#bytes.length) return
    const larger = new Uint8Array(2 * (this.#at + more))
    larger.set(this.#bytes.subarray(0, this.#at))
    this.#bytes = larger
    this.#view = new DataView(larger.buffer)
  }
}
