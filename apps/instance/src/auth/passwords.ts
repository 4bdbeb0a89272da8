import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** What each guess costs: 16 MB and about a tenth of a second. A stored hash says its own. */
const cost = { N: 16_384, r: 8, p: 5 }
const length = 32

/** `scrypt$N$r$p$salt$hash`, salted anew each time. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derived(password, salt, cost)
  const { N, r, p } = cost
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Compares in a time that does not tell how much was right. False for a hash that cannot be read. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const parts = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([\w-]{8,100})\$([\w-]{43})$/.exec(stored)
  if (parts === null) return false
  const [, N, r, p, salt = '', hash = ''] = parts
  const given = { N: Number(N), r: Number(r), p: Number(p) }
  const wanted = Buffer.from(hash, 'base64url')
  return timingSafeEqual(await derived(password, Buffer.from(salt, 'base64url'), given), wanted)
}

function derived(password: string, salt: Buffer, given: { N: number; r: number; p: number }): Promise<Buffer> {
  const maxmem = 64 * 1024 * 1024
  return new Promise((resolve, reject) => {
    // The same characters, however they were composed on a keyboard, are the same password.
    scrypt(password.normalize('NFC'), salt, length, { ...given, maxmem }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
}
