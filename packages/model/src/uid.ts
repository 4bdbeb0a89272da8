const size = 16
/** Random bytes are requested in batches, because each request costs far more than the bytes. */
const pool = new Uint8Array(size * 256)
let used = pool.length

const digits = Array.from('0123456789abcdef', digit => digit.charCodeAt(0))
const hyphen = '-'.charCodeAt(0)

/** A UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, then random bits; lower-case text. Works in browsers and Node. */
export function newUid(now: number = Date.now()): string {
  const bytes = randomBytes()
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  view.setUint16(0, Math.floor(now / 2 ** 32))
  view.setUint32(2, now % 2 ** 32)
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f))
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f))
  return written(bytes)
}

/** One call with all characters, because a concatenated string would retain its parts and take six times the memory. */
function written(bytes: Uint8Array): string {
  const codes: number[] = []
  for (const [at, byte] of bytes.entries()) {
    if (at === 4 || at === 6 || at === 8 || at === 10) codes.push(hyphen)
    codes.push(digits[byte >> 4] ?? 0, digits[byte & 0x0f] ?? 0)
  }
  return String.fromCharCode(...codes)
}

/** Each byte of the pool is used once. */
function randomBytes(): Uint8Array {
  if (used === pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  used += size
  return pool.subarray(used - size, used)
}

/** Whether a text has the form of a UUID in lower case. */
export function isUid(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)
}
