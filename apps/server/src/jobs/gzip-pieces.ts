import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { after, shiftOf } from './check-sum.ts'

/** Bytes that were compressed in a way that others may follow, with what the check sum of the whole asks of them. */
export type Piece = {
  readonly deflated: Uint8Array
  readonly length: number
  readonly crc: number
  readonly shift: number
}

/** Compressed apart from all that stands before it, and ending where a byte ends: it fits into any place. */
export function pieceOf(bytes: Uint8Array): Piece {
  // A copy: what comes from there keeps a whole chunk of memory.
  const deflated = new Uint8Array(deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }))
  return { deflated, length: bytes.length, crc: crc32(bytes), shift: shiftOf(bytes.length) }
}

/**
 * The pieces one after the other as a gzip file of one member (browsers stop after the first of several). Nothing in them is looked
 * at again.
 */
export function gzipOf(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const tail = Buffer.alloc(end.length + 8)
  end.copy(tail)
  tail.writeUInt32LE(pieces.reduce(after, 0), end.length)
  const size = pieces.reduce((sum, { length }) => sum + length, 0)
  tail.writeUInt32LE(size % 2 ** 32, end.length + 4)
  return joined([head, ...pieces.map(({ deflated }) => deflated), tail])
}

/** The pieces one after the other as they were. */
export function plainOf(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  return joined(pieces.map(({ deflated }) => inflateRawSync(deflated, { finishFlush: constants.Z_SYNC_FLUSH })))
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** RFC 1952: deflated, without a name or a time, by an unknown system. */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** A last block in which nothing is. */
const end = Buffer.from([3, 0])
