import { Deflate, deflateSync, Gunzip, gzipSync, Inflate, inflateSync } from 'fflate'

/* Raw deflate (RFC 1951) for threads that may be terminated at any time. node:zlib must not be used there:
   terminating a thread while a zlib object is being initialised aborts the whole process. */

/** Content up to this size is inflated at once: it can grow at most a thousandfold. */
const singlePassSize = 64 * 1024

/** Favours speed over size. */
export function deflated(bytes: Uint8Array): Uint8Array {
  // The library may return a view of a larger buffer.
  return deflateSync(bytes, { level: 1, mem: 4 }).slice()
}

/** Compresses without a final block and byte-aligned, so that another piece can follow. */
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
 * The compressor ends with up to seven remaining bits and an empty final block, whose ten bits are 1 1 and eight
 * zeros. Replaces that block with a byte-aligned, non-final block.
 */
function aligned(end: Uint8Array): Uint8Array {
  const [first = 0] = end
  const left = end.length > 2 ? 7 : 30 - Math.clz32(first)
  const bits = first & ((1 << left) - 1)
  // The block header takes three bits.
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

/** An empty final block that terminates a sequence of pieces. */
export const lastBlock: Uint8Array = Uint8Array.of(3, 0)

/** As gzip (RFC 1952), without name and time. */
export function gzipped(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes, { level: 6, mtime: 0 })
}

/** Inflates content of exactly `size` bytes. Throws for any other size, and allocates only slightly more than that. */
export function inflated(packed: Uint8Array, size: number): Uint8Array {
  const content = packed.length <= singlePassSize ? inAGo(packed, size) : inSlices(packed, size)
  if (content.length !== size) throw new RangeError(`It does not have ${size} bytes.`)
  return content
}

function inAGo(packed: Uint8Array, size: number): Uint8Array {
  // The extra byte reveals content that is longer than declared.
  return inflateSync(packed, { out: new Uint8Array(size + 1) })
}

function inSlices(packed: Uint8Array, size: number): Uint8Array {
  const content = new Uint8Array(size)
  let length = 0
  const stream = new Inflate(part => {
    if (length + part.length > size) throw new RangeError(`It has more than ${size} bytes.`)
    content.set(part, length)
    length += part.length
  })
  for (let at = 0; at < packed.length; at += singlePassSize) {
    stream.push(packed.subarray(at, at + singlePassSize), at + singlePassSize >= packed.length)
  }
  return content.subarray(0, length)
}

/** Inflates gzip. Throws for broken input; `checkLength` may throw to end it. */
export function gunzipped(
  packed: Uint8Array,
  checkLength: (length: number) => void,
): { content: Uint8Array; members: number } {
  const parts: Uint8Array[] = []
  let length = 0
  const stream = new Gunzip(part => {
    length += part.length
    checkLength(length)
    parts.push(part)
  })
  let members = 1
  stream.onmember = () => (members += 1)
  for (let at = 0; at < packed.length; at += singlePassSize) {
    stream.push(packed.subarray(at, at + singlePassSize), at + singlePassSize >= packed.length)
  }
  return { content: joined(parts), members }
}
