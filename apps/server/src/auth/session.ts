import { limits } from '@cadmus/model/limits'
import { newUid } from '@cadmus/model/uid'
import * as z from 'zod'
import type { Context } from '../context.ts'
import { insertSession, removeEndedSessions, type SessionRow } from '../store/session.ts'
import type { Arrival } from './oidc-client.ts'
import type { Profile } from './profile.ts'
import { hashToken, newToken } from './tokens.ts'

export const cookieNames = {
  session: 'cadmus_session',
  refresh: 'cadmus_refresh',
  /** Readable by the page: it tells that a session exists, nothing else. */
  signedIn: 'cadmus_signed_in',
  /** How those begin that hold state, nonce and verifier while the browser is at the provider. */
  signIn: 'cadmus_signin_',
} as const

/** One a sign-in: pages that are opened together, as a browser does at its start, each come back with their own. */
export function signInCookie(state: string): string {
  return `${cookieNames.signIn}${hashToken(state).slice(0, 12)}`
}

export const ssoPath = '/1.0/cdm/sso'

/** The two tokens of a session as only their holder has them. */
export type SessionTokens = { token: string; refresh: string }

const keptTokens = z.object({
  idToken: z.string(),
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  /** The tokens that the last refresh gave, for a repeat of it whose answer was lost. */
  repeat: z.object({ token: z.string(), refresh: z.string() }).optional(),
})
/** What a session keeps encrypted. */
export type KeptTokens = z.output<typeof keptTokens>

/** Stores a new session of a user and answers its tokens; sessions that nobody can renew any more are removed on the way. */
export async function openSession(
  context: Context,
  userId: string,
  profile: Profile,
  arrival: Arrival,
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
    provider_tokens: keepTokens(context, {
      idToken: arrival.idToken,
      accessToken: arrival.accessToken,
      refreshToken: arrival.refreshToken,
    }),
    created_at: at(context, 0),
    expires_at: at(context, limits.sessionLifetime),
    refresh_expires_at: at(context, limits.refreshLifetime),
    revoked_at: null,
  }
  await removeEndedSessions(context.store.shared, session.created_at)
  await insertSession(context.store.shared, session)
  return { session, tokens }
}

export function keepTokens(context: Context, tokens: KeptTokens): string {
  return context.secrets.close(JSON.stringify(tokens))
}

/** Null when the key that closed them is gone: then the session cannot go on. */
export function openTokens(context: Context, session: SessionRow): KeptTokens | null {
  const text = context.secrets.open(session.provider_tokens)
  return text === undefined ? null : keptTokens.parse(JSON.parse(text))
}

/** An instant so many milliseconds from now, as the store writes it. */
export function at(context: Context, milliseconds: number): string {
  return new Date(context.now() + milliseconds).toISOString()
}

/** The part of a request's answer that carries cookies. */
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
