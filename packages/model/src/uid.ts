const randomSize = 10
/** The system is asked for the random bytes of so many at a time: each question costs far more than the bytes. */
const pool = new Uint8Array(randomSize * 256)
let used = pool.length

const hexOf = Array.from({ length: 256 }, (_none, byte) => byte.toString(16).padStart(2, '0'))

/** A UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, then random bits; text in lower case. Works in browser and Node. */
export function newUid(now: number = Date.now()): string {
  const time = now.toString(16).padStart(12, '0')
  const at = takeRandom()
  const version = hex(at, 0x0f, 0x70) + hex(at + 1)
  const variant = hex(at + 2, 0x3f, 0x80) + hex(at + 3)
  const rest = hex(at + 4) + hex(at + 5) + hex(at + 6) + hex(at + 7) + hex(at + 8) + hex(at + 9)
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${rest}`
}

/** Where in the pool the bytes of one begin; each is given once. */
function takeRandom(): number {
  if (used === pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  used += randomSize
  return used - randomSize
}

/** A byte of the pool, of which `kept` stay random and `set` are set. */
function hex(at: number, kept = 0xff, set = 0): string {
  return hexOf[((pool[at] ?? 0) & kept) | set] ?? ''
}

/** Whether a text has the form of a UUID in lower case. */
export function isUid(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)
}
