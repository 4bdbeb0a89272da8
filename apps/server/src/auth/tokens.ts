import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits for a cookie. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Lets secret scanners recognise our tokens. */
const personalPrefix = 'cadmus_pat_'

/** 256 random bits as the secret of a personal access token. */
export function newPersonalToken(): string {
  return personalPrefix + newToken()
}

export function isPersonalToken(token: string): boolean {
  return token.startsWith(personalPrefix)
}

/** The stored form of a token. Tokens are long and random, so a plain hash suffices. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** Compares in constant time. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
