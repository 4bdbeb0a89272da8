import { crc32 } from 'node:zlib'
import { deflatedPiece, inflated, joined, lastBlock } from '@cadmus/formats/deflate'
import { problemAnswer, resultAnswer } from '@cadmus/model/contract/shared'
import type { Problem } from '@cadmus/model/problem'
import { firstError } from '@cadmus/model/validate'

/** A problem in the wire format. */
export function problemItem({ severity, code, message, path, databases }: Problem) {
  return { severity, code, message, path: [...path], ...(databases && { databases: [...databases] }) }
}

/** Maximum problems per cached run. */
const maxRun = 32

type Run = { problems: readonly Problem[]; piece: Piece }

/**
 * Serialises all problems of one manifest. There may be thousands, mostly unchanged since the last answer: runs of
 * identical objects in the same order are validated, serialised and compressed only once.
 */
export class ProblemWriter {
  /** Runs by their first problem. */
  #runs = new Map<Problem, Run>()

  /** Number of cached bytes. */
  get size(): number {
    return this.#runs.values().reduce((sum, { piece }) => sum + piece.deflated.buffer.byteLength, 0)
  }

  write(problems: readonly Problem[], encoding: 'gzip' | 'identity'): Uint8Array<ArrayBuffer> {
    const runs = this.#runsOf(problems)
    const message = firstError(problems)?.message ?? ''
    const head = JSON.stringify(resultAnswer.parse({ result: 'OK', message }))
    const pieces = [
      pieceOf(Buffer.from(`${head.slice(0, -1)},"problems":[`)),
      ...runs.flatMap(({ piece }, index) => (index === 0 ? [piece] : [comma, piece])),
      end,
    ]
    return encoding === 'gzip' ? gzipOf(pieces) : plainOf(pieces)
  }

  #runsOf(problems: readonly Problem[]): Run[] {
    const runs: Run[] = []
    const runsByProblem = new Map<Problem, Run>()
    for (let start = 0; start < problems.length;) {
      const first = problems[start]
      if (!first) break
      const cachedRun = this.#runs.get(first)
      const run = cachedRun && isAt(cachedRun, problems, start) ? cachedRun : this.#newRun(problems, start)
      runsByProblem.set(first, run)
      runs.push(run)
      start += run.problems.length
    }
    this.#runs = runsByProblem
    return runs
  }

  /** Ends before a problem that starts a cached run. */
  #newRun(problems: readonly Problem[], start: number): Run {
    const end = problems.slice(start + 1, start + maxRun).findIndex(problem => this.#runs.has(problem))
    const part = problems.slice(start, end < 0 ? start + maxRun : start + 1 + end)
    const text = JSON.stringify(part.map(problem => problemAnswer.parse(problemItem(problem))))
    return { problems: part, piece: pieceOf(Buffer.from(text.slice(1, -1))) }
  }
}

/** A plain loop for speed: it runs over all problems each time. */
function isAt({ problems: own }: Run, problems: readonly Problem[], start: number): boolean {
  for (let index = 0; index < own.length; index += 1) if (own[index] !== problems[start + index]) return false
  return true
}

/** Separately compressed bytes that can be concatenated, with the values for the combined checksum. */
type Piece = {
  readonly deflated: Uint8Array
  readonly length: number
  readonly crc: number
  readonly shift: number
}

/** Compresses independently of preceding data and ends at a byte boundary, so the piece fits anywhere. */
export function pieceOf(bytes: Uint8Array): Piece {
  return { deflated: deflatedPiece(bytes), length: bytes.length, crc: crc32(bytes), shift: shiftOf(bytes.length) }
}

/**
 * Joins the pieces into a gzip file of one member (browsers stop after the first of several), without processing their
 * data again.
 */
export function gzipOf(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const tail = Buffer.alloc(lastBlock.length + 8)
  tail.set(lastBlock)
  tail.writeUInt32LE(pieces.reduce(combineCrc, 0), lastBlock.length)
  const size = pieces.reduce((sum, { length }) => sum + length, 0)
  tail.writeUInt32LE(size % 2 ** 32, lastBlock.length + 4)
  return joined([head, ...pieces.map(({ deflated }) => deflated), tail])
}

/** Joins the pieces uncompressed. */
export function plainOf(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  return joined(pieces.map(({ deflated, length }) => inflated(joined([deflated, lastBlock]), length)))
}

/** RFC 1952 header: deflate, no name, no time, unknown system. */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

/** x to the power of 1, 2, 4, 8, … modulo the polynomial of CRC-32, in reversed bit order like the checksums. */
const powers = repeatedSquares(1 << 30)

const comma = pieceOf(Buffer.from(','))
const end = pieceOf(Buffer.from(']}'))

/** The shift for `combineCrc`: x to the power of the part's length in bits. */
function shiftOf(bytes: number): number {
  let shift = 1 << 31
  // Starts at x^8, because a byte has eight bits.
  for (let [rest, place] = [bytes, 3]; rest > 0; rest = Math.floor(rest / 2), place += 1) {
    if (rest % 2 === 1) shift = multiply(powers[place % 32] ?? 0, shift)
  }
  return shift
}

/** Combines the CRC-32 values of two adjacent parts without reading either. */
function combineCrc(first: number, { crc, shift }: { crc: number; shift: number }): number {
  return (multiply(shift, first) ^ crc) >>> 0
}

/** Multiplies two polynomials modulo the one of CRC-32. */
function multiply(a: number, b: number): number {
  let result = 0
  for (let [bit, shifted] = [1 << 31, b]; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) result ^= shifted
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ 0xedb88320
  }
  return result
}

function repeatedSquares(first: number): number[] {
  const list = [first]
  for (let last = first; list.length < 32; list.push(last)) last = multiply(last, last)
  return list
}
