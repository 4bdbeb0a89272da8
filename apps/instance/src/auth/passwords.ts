import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** The cost of one hash: 16 MB and about a tenth of a second. Stored hashes carry their own parameters. */
const cost = { N: 16_384, r: 8, p: 5 }
const length = 32

/** Returns `scrypt$N$r$p$salt$hash` with a new salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await deriveKey(password, salt, cost)
  const { N, r, p } = cost
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Compares in constant time. Returns false for a malformed hash. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const parts = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([\w-]{8,100})\$([\w-]{43})$/.exec(stored)
  if (parts === null) return false
  const [, N, r, p, salt = '', hash = ''] = parts
  const parameters = { N: Number(N), r: Number(r), p: Number(p) }
  const expected = Buffer.from(hash, 'base64url')
  return timingSafeEqual(await deriveKey(password, Buffer.from(salt, 'base64url'), parameters), expected)
}

function deriveKey(password: string, salt: Buffer, parameters: { N: number; r: number; p: number }): Promise<Buffer> {
  const maxmem = 64 * 1024 * 1024
  return new Promise((resolve, reject) => {
    // Unicode normalisation: keyboards compose characters differently.
    scrypt(password.normalize('NFC'), salt, length, { ...parameters, maxmem }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
}
