import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits as text for a cookie. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What the store keeps of a token. Tokens are random and long, so a plain hash is enough. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** Compares in a time that does not tell how much was right. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
