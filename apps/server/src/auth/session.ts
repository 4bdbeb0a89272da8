import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import { limits } from '@cadmus/model/limits'
import { newUid } from '@cadmus/model/uid'
import { isoTime } from '../clock.ts'
import type { Context } from '../context.ts'
import { insertSession, removeEndedSessions, type SessionRow } from '../store/user.ts'
import type { SignInResult } from './oidc-client.ts'
import type { Profile } from './profile.ts'

export const cookieNames = {
  session: 'cadmus_session',
  refresh: 'cadmus_refresh',
  /** Readable by the page; only shows that a session exists. */
  signedIn: 'cadmus_signed_in',
  /** Prefix of the cookies with state, nonce and verifier during a sign-in. */
  signIn: 'cadmus_signin_',
} as const

/** One cookie per sign-in, because several pages may sign in concurrently, as when a browser restores its tabs. */
export function signInCookie(state: string): string {
  return `${cookieNames.signIn}${hashToken(state).slice(0, 12)}`
}

export const ssoPath = '/1.0/cdm/sso'

/** The plain tokens of a session, known only to its holder. */
export type SessionTokens = { token: string; refresh: string }

const storedTokens = z.object({
  idToken: z.string(),
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  /** Tokens issued by the last refresh, for repeats whose answer was lost. */
  repeat: z.object({ token: z.string(), refresh: z.string() }).optional(),
})
/** The encrypted part of a session. */
export type StoredTokens = z.output<typeof storedTokens>

/** Stores a new session and returns its tokens; also removes sessions that can no longer be renewed. */
export async function openSession(
  context: Context,
  userId: string,
  profile: Profile,
  signInResult: SignInResult,
): Promise<{ session: SessionRow; tokens: SessionTokens }> {
  const tokens = { token: newToken(), refresh: newToken() }
  const session: SessionRow = {
    id: newUid(context.now()),
    token_hash: hashToken(tokens.token),
    refresh_hash: hashToken(tokens.refresh),
    previous_refresh_hash: null,
    rotated_at: null,
    user_id: userId,
    is_admin: profile.isAdmin ? 1 : 0,
    permissions: profile.permissions === null ? null : JSON.stringify(profile.permissions),
    provider_tokens: encryptTokens(context, {
      idToken: signInResult.idToken,
      accessToken: signInResult.accessToken,
      refreshToken: signInResult.refreshToken,
    }),
    created_at: isoTime(context, 0),
    expires_at: isoTime(context, limits.sessionLifetime),
    refresh_expires_at: isoTime(context, limits.refreshLifetime),
    revoked_at: null,
  }
  await removeEndedSessions(context.store.shared, session.created_at)
  await insertSession(context.store.shared, session)
  return { session, tokens }
}

export function encryptTokens(context: Context, tokens: StoredTokens): string {
  return context.secrets.encrypt(JSON.stringify(tokens))
}

/** Null if the encryption key is no longer available; the session cannot continue then. */
export function decryptTokens(context: Context, session: SessionRow): StoredTokens | null {
  const text = context.secrets.decrypt(session.provider_tokens)
  return text === undefined ? null : storedTokens.parse(JSON.parse(text))
}

type CookieJar = {
  setCookie: (name: string, value: string, options: { path: string; lifetime: number; httpOnly: boolean }) => void
  clearCookie: (name: string, path: string) => void
}

export function setSessionCookies(jar: CookieJar, tokens: SessionTokens): void {
  jar.setCookie(cookieNames.session, tokens.token, { path: '/', lifetime: limits.sessionLifetime, httpOnly: true })
  jar.setCookie(cookieNames.refresh, tokens.refresh, {
    path: ssoPath,
    lifetime: limits.refreshLifetime,
    httpOnly: true,
  })
  jar.setCookie(cookieNames.signedIn, '1', { path: '/', lifetime: limits.refreshLifetime, httpOnly: false })
}

export function clearSessionCookies(jar: CookieJar): void {
  jar.clearCookie(cookieNames.session, '/')
  jar.clearCookie(cookieNames.refresh, ssoPath)
  jar.clearCookie(cookieNames.signedIn, '/')
}

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
