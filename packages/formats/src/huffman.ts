/** Maximum number of symbols and maximum code length in bits of any code. */
const maxSymbols = 512
const maxBits = 64

/**
 * Builds the Huffman code of an alphabet from symbol frequencies. Memory is allocated once because a code is built
 * thousands of times.
 */
export class HuffmanCode {
  /** In bits; 0 for an unused symbol. */
  readonly lengths: Uint8Array
  /** Reversed, with the first bit lowest, as deflate writes them. */
  readonly codes: Uint16Array
  readonly #longest: number
  readonly #weights: Int32Array

  constructor(symbols: number, longest: number) {
    this.lengths = new Uint8Array(symbols)
    this.codes = new Uint16Array(symbols)
    this.#longest = longest
    this.#weights = new Int32Array(symbols)
  }

  /** Always assigns at least two codes because some readers refuse a code with one. Frequencies are at most 2^22. */
  make(frequencies: Int32Array): void {
    this.#weights.set(frequencies)
    let used = 0
    for (let symbol = 0; symbol < frequencies.length; symbol += 1) if ((frequencies[symbol] ?? 0) > 0) used += 1
    for (let symbol = 0; used < 2; symbol += 1) {
      if (this.#weights[symbol] !== 0) continue
      this.#weights[symbol] = 1
      used += 1
    }
    // Flatter weights shorten the longest code.
    while (setLengths(this.#weights, used, this.lengths) > this.#longest) flatten(this.#weights)
    setCodes(this.lengths, this.codes)
  }

  static of(lengths: Uint8Array): HuffmanCode {
    const code = new HuffmanCode(lengths.length, 15)
    code.lengths.set(lengths)
    setCodes(code.lengths, code.codes)
    return code
  }
}

const leaves = new Int32Array(maxSymbols)
const heavy = new Int32Array(2 * maxSymbols)
const above = new Int32Array(2 * maxSymbols)
const next = new Uint16Array(maxBits)

/**
 * Huffman's algorithm: repeatedly merges the two lightest nodes. Merged nodes arise in ascending order, as the leaves
 * are sorted, so the lightest is at the head of one of the two queues. Returns the longest length.
 */
function setLengths(weights: Int32Array, count: number, lengths: Uint8Array): number {
  sortLeaves(weights, count)
  const all = 2 * count - 1
  let leaf = 0
  let pair = count
  for (let made = count; made < all; made += 1) {
    let sum = 0
    for (let half = 0; half < 2; half += 1) {
      const isLeaf = leaf < count && (pair >= made || (heavy[leaf] ?? 0) <= (heavy[pair] ?? 0))
      const node = isLeaf ? leaf++ : pair++
      sum += heavy[node] ?? 0
      above[node] = made
    }
    heavy[made] = sum
  }
  // From here on, the array holds depths.
  heavy[all - 1] = 0
  for (let at = all - 2; at >= 0; at -= 1) heavy[at] = (heavy[above[at] ?? 0] ?? 0) + 1
  lengths.fill(0)
  for (let at = 0; at < count; at += 1) lengths[(leaves[at] ?? 0) & (maxSymbols - 1)] = heavy[at] ?? 0
  return heavy[0] ?? 0
}

/** Sorts used symbols by frequency, then by symbol; weight and symbol share one number. */
function sortLeaves(weights: Int32Array, count: number): void {
  let at = 0
  for (let symbol = 0; symbol < weights.length; symbol += 1) {
    const weight = weights[symbol] ?? 0
    if (weight > 0) leaves[at++] = weight * maxSymbols + symbol
  }
  leaves.subarray(0, count).sort()
  for (at = 0; at < count; at += 1) heavy[at] = (leaves[at] ?? 0) >>> 9
}

function flatten(weights: Int32Array): void {
  for (let symbol = 0; symbol < weights.length; symbol += 1) {
    const weight = weights[symbol] ?? 0
    if (weight > 0) weights[symbol] = (weight >>> 1) | 1
  }
}

/** Canonical codes: ascending by length, then by symbol. */
function setCodes(lengths: Uint8Array, codes: Uint16Array): void {
  next.fill(0)
  for (let symbol = 0; symbol < lengths.length; symbol += 1) {
    const length = lengths[symbol] ?? 0
    if (length > 0) next[length + 1] = (next[length + 1] ?? 0) + 1
  }
  for (let length = 2; length <= 16; length += 1) next[length] = ((next[length - 1] ?? 0) + (next[length] ?? 0)) << 1
  for (let symbol = 0; symbol < lengths.length; symbol += 1) {
    const length = lengths[symbol] ?? 0
    if (length === 0) continue
    const code = next[length] ?? 0
    next[length] = code + 1
    codes[symbol] = reversed(code, length)
  }
}

function reversed(code: number, length: number): number {
  let turned = 0
  for (let bit = 0; bit < length; bit += 1) turned |= ((code >>> bit) & 1) << (length - 1 - bit)
  return turned
}
