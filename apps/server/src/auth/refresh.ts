import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import type { Context } from '../context.ts'
import { ApiError, unauthenticated, unavailable } from '../errors/api-error.ts'
import { LeaseTaken, withLease } from '../store/lease.ts'
import { revokeSession, rotateSession, sessionByRefreshHash, type SessionRow } from '../store/session.ts'
import { userById } from '../store/user.ts'
import type { Renewed } from './oidc-client.ts'
import { profileOf, rememberProfile } from './profile.ts'
import { at, keepTokens, type KeptTokens, openTokens, type SessionTokens } from './session.ts'
import { hashToken, newToken } from './tokens.ts'

/**
 * Milliseconds a caller waits for the lease: more than two calls to a slow provider. The lease of a crashed server
 * expires earlier.
 */
const longestTurn = 70_000

export type Refreshed = { tokens: SessionTokens; expiresAt: string; idToken: string }

/**
 * Exchanges a refresh token for the next pair. Serialised per session across servers, because the provider treats a
 * reused refresh token as theft. Repeating the last one within ten seconds returns the same tokens.
 */
export async function refreshSession(context: Context, refresh: string): Promise<Refreshed> {
  const hash = hashToken(refresh)
  const found = await sessionByRefreshHash(context.store.shared, hash, at(context, 0))
  if (found === undefined) throw expired()
  const turn = async () => {
    const session = await sessionByRefreshHash(context.store.shared, hash, at(context, 0))
    const kept = session === undefined ? null : openTokens(context, session)
    if (session === undefined || kept === null) throw expired()
    if (session.refresh_hash === hash) return rotate(context, session, kept)
    return repeat(context, session, kept, hash)
  }
  try {
    return await withLease(context.store, `refresh:${found.id}`, turn, { patience: longestTurn })
  } catch (error) {
    if (error instanceof LeaseTaken) throw unavailable('Another sign-in of this session is under way.', error)
    throw error
  }
}

async function rotate(context: Context, session: SessionRow, kept: KeptTokens): Promise<Refreshed> {
  const renewed = await renew(context, session, kept)
  const tokens = { token: newToken(), refresh: newToken() }
  const expiresAt = at(context, limits.sessionLifetime)
  const rotated = await rotateSession(context.store.shared, session.id, session.refresh_hash, {
    token_hash: hashToken(tokens.token),
    refresh_hash: hashToken(tokens.refresh),
    previous_refresh_hash: session.refresh_hash,
    rotated_at: at(context, 0),
    provider_tokens: keepTokens(context, { ...renewed.kept, repeat: tokens }),
    is_admin: renewed.isAdmin,
    permissions: renewed.permissions,
    expires_at: expiresAt,
    refresh_expires_at: at(context, limits.refreshLifetime),
  })
  renewals.delete(session.refresh_hash)
  if (!rotated) throw expired()
  return { tokens, expiresAt, idToken: renewed.kept.idToken }
}

/**
 * Provider tokens not yet stored, by refresh hash. The old refresh token is already invalid, so losing the new one in a
 * short store outage would sign the user out.
 */
const renewals = new Map<string, Renewed>()
const mostRenewals = 10_000

function keepRenewal(refreshHash: string, renewal: Renewed): void {
  const [oldest] = renewals.keys()
  if (renewals.size >= mostRenewals && oldest !== undefined) renewals.delete(oldest)
  renewals.set(refreshHash, renewal)
}

/**
 * A repeat within the window serves a caller whose answer was lost; a later one indicates a stolen token. If storing
 * the tokens failed, no answer was sent, so the age does not matter.
 */
async function repeat(context: Context, session: SessionRow, kept: KeptTokens, hash: string): Promise<Refreshed> {
  const unanswered = renewals.delete(hash)
  const since = session.rotated_at === null ? Infinity : context.now() - Date.parse(session.rotated_at)
  if ((since > limits.refreshRepeatWindow && !unanswered) || kept.repeat === undefined) {
    await revokeSession(context.store.shared, session.id, at(context, 0))
    context.log.warn({ user: session.user_id, session: session.id }, 'a spent refresh token came again: session ended')
    throw expired()
  }
  return { tokens: kept.repeat, expiresAt: session.expires_at, idToken: kept.idToken }
}

type Renewal = { kept: KeptTokens; isAdmin: number; permissions: string | null }

/** Renews the provider's tokens and derives the current permissions. A rejection by the provider ends the session. */
async function renew(context: Context, session: SessionRow, kept: KeptTokens): Promise<Renewal> {
  const renewed = await unlessRefused(context, session, async () => {
    if (kept.refreshToken === null) return endWithoutProvider(context, session)
    return renewals.get(session.refresh_hash) ?? (await context.oidc.renew(context.publicUrl, kept.refreshToken))
  })
  // Saved before any further call: the store or provider may fail next, and these tokens are issued only once.
  keepRenewal(session.refresh_hash, renewed)
  const claims = await unlessRefused(context, session, () => context.oidc.claimsOf(context.publicUrl, renewed))
  const tokens = {
    idToken: renewed.idToken || kept.idToken,
    accessToken: renewed.accessToken,
    refreshToken: renewed.refreshToken,
  }
  if (claims === null) return { kept: tokens, isAdmin: session.is_admin, permissions: session.permissions }
  const profile = profileOf(context, claims)
  const user = await userById(context.store.shared, session.user_id)
  if (user !== undefined) await rememberProfile(context, user.issuer, profile)
  const permissions = profile.permissions === null ? null : JSON.stringify(profile.permissions)
  return { kept: tokens, isAdmin: profile.isAdmin ? 1 : 0, permissions }
}

async function unlessRefused<T>(context: Context, session: SessionRow, ask: () => Promise<T>): Promise<T> {
  return ask().catch(async (error: unknown) => {
    if (error instanceof ApiError && error.status === 400) {
      await revokeSession(context.store.shared, session.id, at(context, 0))
      throw expired(error)
    }
    throw error
  })
}

/** Without a refresh token, the user's access can no longer be verified. */
async function endWithoutProvider(context: Context, session: SessionRow): Promise<never> {
  await revokeSession(context.store.shared, session.id, at(context, 0))
  throw expired()
}

function expired(detail?: unknown): ApiError {
  return unauthenticated(messages.session.expired, detail)
}
