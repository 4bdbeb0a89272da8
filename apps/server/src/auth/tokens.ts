import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits as text for a cookie. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** By it those who look for secrets that lie about find ours. */
const personalPrefix = 'cadmus_pat_'

/** 256 random bits as the secret of a personal access token. */
export function newPersonalToken(): string {
  return personalPrefix + newToken()
}

export function isPersonalToken(token: string): boolean {
  return token.startsWith(personalPrefix)
}

/** What the store keeps of a token. Tokens are random and long, so a plain hash is enough. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** Compares in a time that does not tell how much was right. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
