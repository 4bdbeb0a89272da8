import { deflatedPiece, inflated, joined, lastBlock } from '@cadmus/formats/deflate'
import { crc32 } from 'node:zlib'
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
  return { deflated: deflatedPiece(bytes), length: bytes.length, crc: crc32(bytes), shift: shiftOf(bytes.length) }
}

/**
 * The pieces one after the other as a gzip file of one member (browsers stop after the first of several). Nothing in them is looked
 * at again.
 */
export function gzipOf(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const tail = Buffer.alloc(lastBlock.length + 8)
  tail.set(lastBlock)
  tail.writeUInt32LE(pieces.reduce(after, 0), lastBlock.length)
  const size = pieces.reduce((sum, { length }) => sum + length, 0)
  tail.writeUInt32LE(size % 2 ** 32, lastBlock.length + 4)
  return joined([head, ...pieces.map(({ deflated }) => deflated), tail])
}

/** The pieces one after the other as they were. */
export function plainOf(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  return joined(pieces.map(({ deflated, length }) => inflated(joined([deflated, lastBlock]), length)))
}

/** RFC 1952: deflated, without a name or a time, by an unknown system. */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
