import { HuffmanCode } from './huffman.ts'

/** Maximum number of literals and matches per block; each block has its own codes. */
export const maxTokens = 32_768

const endOfBlock = 256
/** Maximum size in bytes of a token with extra bits (15 + 5 and 15 + 13) and of a block header with its code tables. */
const maxTokenSize = 6
const maxHeadSize = 512

/** Collects tokens and writes them as consecutive deflate blocks. */
export class BlockWriter {
  readonly #tokens = new Int32Array(maxTokens)
  readonly #literals = new Int32Array(286)
  readonly #distances = new Int32Array(30)
  readonly #literalCode = new HuffmanCode(286, 15)
  readonly #distanceCode = new HuffmanCode(30, 15)
  readonly #head = new CodeHead()
  #count = 0
  #bytes = new Uint8Array(maxTokens * maxTokenSize + maxHeadSize)
  #at = 0
  /** Bits that do not fill a byte yet, and their number. */
  #bits = 0
  #held = 0

  begin(): void {
    this.#at = 0
    this.#bits = 0
    this.#held = 0
  }

  literal(byte: number): void {
    this.#tokens[this.#count++] = byte
    this.#literals[byte] = (this.#literals[byte] ?? 0) + 1
  }

  /** Length 3 to 258, distance 1 to 32,768. */
  match(length: number, distance: number): void {
    this.#tokens[this.#count++] = (length << 15) | (distance - 1)
    const symbol = lengthSymbols[length] ?? 0
    this.#literals[symbol] = (this.#literals[symbol] ?? 0) + 1
    const far = distanceSymbol(distance - 1)
    this.#distances[far] = (this.#distances[far] ?? 0) + 1
  }

  /** Writes the collected tokens as a block, with dynamic codes if these are shorter than the fixed ones. */
  write(isLast: boolean): void {
    this.#makeRoom(this.#count * maxTokenSize + maxHeadSize)
    this.#literals[endOfBlock] = 1
    this.#literalCode.make(this.#literals)
    this.#distanceCode.make(this.#distances)
    const head = this.#head.make(this.#literalCode.lengths, this.#distanceCode.lengths)
    const own = head + this.#sizeWith(this.#literalCode, this.#distanceCode)
    const isFixed = this.#sizeWith(fixedLiterals, fixedDistances) <= own
    this.#put(isLast ? 1 : 0, 1)
    this.#put(isFixed ? 1 : 2, 2)
    if (isFixed) this.#putTokens(fixedLiterals, fixedDistances)
    else {
      this.#head.write((value, bits) => this.#put(value, bits))
      this.#putTokens(this.#literalCode, this.#distanceCode)
    }
    this.#count = 0
    this.#literals.fill(0)
    this.#distances.fill(0)
  }

  /** Returns all blocks written so far. The array is reused by the next call. */
  end(): Uint8Array {
    for (; this.#held > 0; this.#held -= 8) {
      this.#bytes[this.#at++] = this.#bits
      this.#bits >>>= 8
    }
    this.#held = 0
    return this.#bytes.subarray(0, this.#at)
  }

  /** Size in bits, without extra bits, which do not depend on the codes. */
  #sizeWith(literals: HuffmanCode, distances: HuffmanCode): number {
    return sizeOf(this.#literals, literals) + sizeOf(this.#distances, distances)
  }

  #putTokens(literals: HuffmanCode, distances: HuffmanCode): void {
    for (let at = 0; at < this.#count; at += 1) {
      const token = this.#tokens[at] ?? 0
      if (token < endOfBlock) {
        this.#put(literals.codes[token] ?? 0, literals.lengths[token] ?? 0)
        continue
      }
      const length = token >>> 15
      const symbol = lengthSymbols[length] ?? 0
      this.#put(literals.codes[symbol] ?? 0, literals.lengths[symbol] ?? 0)
      this.#put(length - (lengthBases[symbol - 257] ?? 0), lengthExtras[symbol - 257] ?? 0)
      const distance = token & 0x7fff
      const far = distanceSymbol(distance)
      const extra = far < 4 ? 0 : (far >> 1) - 1
      this.#put(distances.codes[far] ?? 0, distances.lengths[far] ?? 0)
      this.#put(distance & ((1 << extra) - 1), extra)
    }
    this.#put(literals.codes[endOfBlock] ?? 0, literals.lengths[endOfBlock] ?? 0)
  }

  /** At most 15 bits are pending, and `bits` is at most 15. */
  #put(value: number, bits: number): void {
    this.#bits |= value << this.#held
    this.#held += bits
    if (this.#held < 16) return
    this.#bytes[this.#at++] = this.#bits
    this.#bytes[this.#at++] = this.#bits >>> 8
    this.#bits >>>= 16
    this.#held -= 16
  }

  #makeRoom(more: number): void {
    if (this.#at + more <= this.#bytes.length) return
    const larger = new Uint8Array(2 * (this.#at + more))
    larger.set(this.#bytes.subarray(0, this.#at))
    this.#bytes = larger
  }
}

/** Encodes the lengths of both codes with run-length symbols: 16 repeats the previous length, 17 and 18 repeat zero. */
class CodeHead {
  #literals = 0
  #distances = 0
  #lengths = 0
  readonly #code = new HuffmanCode(19, 7)
  readonly #frequencies = new Int32Array(19)
  /** Symbols, with their extra bits in the upper half. */
  readonly #symbols = new Int32Array(320)
  #count = 0

  /** Returns the size in bits. */
  make(literals: Uint8Array, distances: Uint8Array): number {
    this.#literals = usedOf(literals, 257)
    this.#distances = usedOf(distances, 1)
    this.#count = 0
    this.#frequencies.fill(0)
    this.#runs(literals, this.#literals)
    this.#runs(distances, this.#distances)
    this.#code.make(this.#frequencies)
    this.#lengths = 19
    while (this.#lengths > 4 && this.#code.lengths[headOrder[this.#lengths - 1] ?? 0] === 0) this.#lengths -= 1
    let size = 14 + 3 * this.#lengths
    for (let symbol = 0; symbol < 19; symbol += 1) {
      size += (this.#frequencies[symbol] ?? 0) * ((this.#code.lengths[symbol] ?? 0) + runBits(symbol))
    }
    return size
  }

  write(put: (value: number, bits: number) => void): void {
    const { codes, lengths } = this.#code
    put(this.#literals - 257, 5)
    put(this.#distances - 1, 5)
    put(this.#lengths - 4, 4)
    for (let at = 0; at < this.#lengths; at += 1) put(lengths[headOrder[at] ?? 0] ?? 0, 3)
    for (let at = 0; at < this.#count; at += 1) {
      const symbol = (this.#symbols[at] ?? 0) & 31
      put(codes[symbol] ?? 0, lengths[symbol] ?? 0)
      put((this.#symbols[at] ?? 0) >> 5, runBits(symbol))
    }
  }

  #runs(lengths: Uint8Array, used: number): void {
    for (let at = 0; at < used;) {
      const length = lengths[at] ?? 0
      let end = at + 1
      while (end < used && lengths[end] === length) end += 1
      if (length > 0) this.#say(length, 0)
      this.#repeat(length, end - at - (length > 0 ? 1 : 0))
      at = end
    }
  }

  #repeat(length: number, times: number): void {
    let rest = times
    while (rest >= 3) {
      const run = Math.min(rest, length > 0 ? 6 : 138)
      if (length > 0) this.#say(16, run - 3)
      else if (run < 11) this.#say(17, run - 3)
      else this.#say(18, run - 11)
      rest -= run
    }
    for (; rest > 0; rest -= 1) this.#say(length, 0)
  }

  #say(symbol: number, extra: number): void {
    this.#symbols[this.#count++] = (extra << 5) | symbol
    this.#frequencies[symbol] = (this.#frequencies[symbol] ?? 0) + 1
  }
}

function usedOf(lengths: Uint8Array, least: number): number {
  let used = lengths.length
  while (used > least && lengths[used - 1] === 0) used -= 1
  return used
}

function runBits(symbol: number): number {
  if (symbol < 16) return 0
  return symbol === 16 ? 2 : symbol === 17 ? 3 : 7
}

function sizeOf(frequencies: Int32Array, { lengths }: HuffmanCode): number {
  let size = 0
  for (let symbol = 0; symbol < frequencies.length; symbol += 1) {
    size += (frequencies[symbol] ?? 0) * (lengths[symbol] ?? 0)
  }
  return size
}

/** Takes the distance minus one. After the first four, each power of two has two symbols. */
function distanceSymbol(distance: number): number {
  if (distance < 2) return distance
  const power = 31 - Math.clz32(distance)
  return 2 * power + ((distance >> (power - 1)) & 1)
}

const headOrder = Uint8Array.of(16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)
const lengthExtras = Uint8Array.from({ length: 29 }, (_, at) => (at < 8 || at === 28 ? 0 : (at - 4) >> 2))
const lengthBases = new Uint16Array(29)
const lengthSymbols = new Uint16Array(259)
for (let at = 0, length = 3; at < 28; at += 1) {
  lengthBases[at] = length
  for (const end = length + (1 << (lengthExtras[at] ?? 0)); length < end; length += 1) lengthSymbols[length] = 257 + at
}
lengthBases[28] = 258
lengthSymbols[258] = 285

const fixedLiterals = HuffmanCode.of(
  Uint8Array.from({ length: 288 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8)),
)
const fixedDistances = HuffmanCode.of(new Uint8Array(30).fill(5))
