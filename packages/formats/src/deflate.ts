import { Deflate, deflateSync, gzipSync, Inflate, inflateSync } from 'fflate'

/*
 * Deflate (RFC 1951, without a header) for threads that may be stopped at any moment, for their time or their memory. The platform's own
 * (node:zlib) must not be used there: where a thread is stopped between the making of such an object and its setting up, the whole
 * process aborts.
 */

/** Up to this size a content is unpacked in one go: it cannot become more than a thousand times as much. */
const oneGo = 64 * 1024

/** Quickly rather than small. */
export function deflated(bytes: Uint8Array): Uint8Array {
  // What comes from there may be a view of something larger.
  return deflateSync(bytes, { level: 1, mem: 4 }).slice()
}

/** Without a last block, and ending where a byte ends: another may follow it. */
export function deflatedPiece(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  const stream = new Deflate({ level: 6 }, part => parts.push(part))
  stream.push(bytes)
  stream.flush()
  const whole = parts.length
  stream.push(new Uint8Array(0), true)
  return joined([...parts.slice(0, whole), aligned(joined(parts.slice(whole)))])
}

/**
 * What the compressor ends with: up to seven bits that are left over, then a last block without content, whose ten bits are 1 1 and eight
 * times 0. Instead of that block comes one that is not the last and ends where a byte ends.
 */
function aligned(end: Uint8Array): Uint8Array {
  const [first = 0] = end
  const left = end.length > 2 ? 7 : 30 - Math.clz32(first)
  const bits = first & ((1 << left) - 1)
  // Its head are three bits more.
  return Uint8Array.from([bits, ...(left > 5 ? [0] : []), 0, 0, 0xff, 0xff])
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

/** A last block in which nothing is: behind pieces it ends them. */
export const lastBlock: Uint8Array = Uint8Array.of(3, 0)

/** As a gzip file (RFC 1952) without a name or a time. */
export function gzipped(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes, { level: 6, mtime: 0 })
}

/** The content of exactly that many bytes. Throws where it is another number, and makes no more on the way than that and a little. */
export function inflated(packed: Uint8Array, size: number): Uint8Array {
  const content = packed.length <= oneGo ? inAGo(packed, size) : inSlices(packed, size)
  if (content.length !== size) throw new RangeError(`It is not of ${size} bytes.`)
  return content
}

function inAGo(packed: Uint8Array, size: number): Uint8Array {
  // What is more falls off behind the end: one byte there tells.
  return inflateSync(packed, { out: new Uint8Array(size + 1) })
}

function inSlices(packed: Uint8Array, size: number): Uint8Array {
  const content = new Uint8Array(size)
  let length = 0
  const stream = new Inflate(part => {
    if (length + part.length > size) throw new RangeError(`It is of more than ${size} bytes.`)
    content.set(part, length)
    length += part.length
  })
  for (let at = 0; at < packed.length; at += oneGo) {
    stream.push(packed.subarray(at, at + oneGo), at + oneGo >= packed.length)
  }
  return content.subarray(0, length)
}
