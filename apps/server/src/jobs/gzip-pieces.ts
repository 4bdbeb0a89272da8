import { deflatedPiece, inflated, joined, lastBlock } from '@cadmus/formats/deflate'
import { crc32 } from 'node:zlib'
import { combineCrc, shiftOf } from './checksum.ts'

/** Separately compressed bytes that can be concatenated, with the values for the combined checksum. */
export type Piece = {
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
