import { BlockWriter, maxTokens } from './deflate-block.ts'

const window = 32_768
const shortest = 4
const longest = 258
const hashBits = 15

/**
 * Compresses many small contents with deflate (RFC 1951). The output is identical on every machine, unlike the output
 * of different zlib builds. Tables are allocated once; fflate allocates them for each file, which takes longer than the
 * compression. Favours speed over size: only the last position of each four-byte sequence is remembered.
 */
export class Deflater {
  /**
   * Last position of each four-byte hash, counted from the first content on, so that nothing needs to be cleared
   * between contents.
   */
  readonly #places = new Int32Array(1 << hashBits).fill(-1)
  readonly #block = new BlockWriter()
  #passed = 0

  /** The result is valid until the next call. */
  deflated(content: Uint8Array): Uint8Array {
    if (this.#passed > 2 ** 30) {
      this.#places.fill(-1)
      this.#passed = 0
    }
    this.#block.begin()
    const view = new DataView(content.buffer, content.byteOffset, content.length)
    let at = 0
    do at = this.#fill(content, view, at)
    while (at < content.length)
    this.#passed += content.length
    return this.#block.end()
  }

  /** Fills one block from the given position and returns the start of the next. */
  #fill(content: Uint8Array, view: DataView, from: number): number {
    const block = this.#block
    const last = content.length - shortest
    let at = from
    let tokens = 0
    for (; at <= last && tokens < maxTokens; tokens += 1) {
      const word = view.getInt32(at, true)
      const before = this.#lastPlace(word, at)
      if (before < 0 || at - before > window || view.getInt32(before, true) !== word) {
        block.literal(content[at] ?? 0)
        at += 1
        continue
      }
      const length = alike(content, before, at)
      block.match(length, at - before)
      this.#learn(view, at + 1, Math.min(at + length - 1, last))
      at += length
    }
    for (; at > last && at < content.length && tokens < maxTokens; tokens += 1) block.literal(content[at++] ?? 0)
    block.write(at >= content.length)
    return at
  }

  #lastPlace(word: number, at: number): number {
    const slot = Math.imul(word, 0x9e3779b1) >>> (32 - hashBits)
    const before = (this.#places[slot] ?? -1) - this.#passed
    this.#places[slot] = this.#passed + at
    return before
  }

  #learn(view: DataView, from: number, to: number): void {
    for (let at = from; at <= to; at += 1) {
      this.#places[Math.imul(view.getInt32(at, true), 0x9e3779b1) >>> (32 - hashBits)] = this.#passed + at
    }
  }
}

/** Length of the match; the first four bytes are known to be equal. */
function alike(content: Uint8Array, before: number, at: number): number {
  const max = Math.min(longest, content.length - at)
  let length = shortest
  while (length < max && content[before + length] === content[at + length]) length += 1
  return length
}
