import { constants, crc32, deflateRawSync } from 'node:zlib'

/** Bytes, and the same compressed in a way that others may follow. */
export type Piece = { readonly bytes: Uint8Array; readonly deflated: Uint8Array }

/** Compressed apart from all that stands before it, and ending where a byte ends: it fits into any place. */
export function pieceOf(bytes: Uint8Array): Piece {
  return { bytes, deflated: deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }) }
}

/**
 * The pieces one after the other as a gzip file of one member (browsers stop after the first of several), of which only the check
 * sum is computed here.
 */
export function gzipOf(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const tail = Buffer.alloc(end.length + 8)
  end.copy(tail)
  tail.writeUInt32LE(
    pieces.reduce((sum, { bytes }) => crc32(bytes, sum), 0),
    end.length,
  )
  const size = pieces.reduce((sum, { bytes }) => sum + bytes.length, 0)
  tail.writeUInt32LE(size % 2 ** 32, end.length + 4)
  return joined([head, ...pieces.map(({ deflated }) => deflated), tail])
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
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
