import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { isoTime } from '../clock.ts'
import type { Context } from '../context.ts'
import { ApiError, unauthenticated, unavailable } from '../errors/api-error.ts'
import { LeaseTaken, withLease } from '../store/lease.ts'
import { revokeSession, rotateSession, sessionByRefreshHash, type SessionRow, userById } from '../store/user.ts'
import type { Renewed } from './oidc-client.ts'
import { profileOf, saveProfile } from './profile.ts'
import { decryptTokens, encryptTokens, hashToken, newToken, type SessionTokens, type StoredTokens } from './session.ts'

/**
 * Milliseconds a caller waits for the lease: more than two calls to a slow provider. The lease of a crashed server
 * expires earlier.
 */
const leaseTimeout = 70_000

export type RefreshResult = { tokens: SessionTokens; expiresAt: string; idToken: string }

/**
 * Exchanges a refresh token for the next pair. Serialised per session across servers, because the provider treats a
 * reused refresh token as theft. Repeating the last one within ten seconds returns the same tokens.
 */
export async function refreshSession(context: Context, refresh: string): Promise<RefreshResult> {
  const hash = hashToken(refresh)
  const result = await sessionByRefreshHash(context.store.shared, hash, isoTime(context, 0))
  if (result === undefined) throw expired()
  const exchange = async () => {
    const session = await sessionByRefreshHash(context.store.shared, hash, isoTime(context, 0))
    const stored = session === undefined ? null : decryptTokens(context, session)
    if (session === undefined || stored === null) throw expired()
    if (session.refresh_hash === hash) return rotate(context, session, stored)
    return repeat(context, session, stored, hash)
  }
  try {
    return await withLease(context.store, `refresh:${result.id}`, exchange, { timeout: leaseTimeout })
  } catch (error) {
    if (error instanceof LeaseTaken)
      throw unavailable('Another refresh of this session is in progress. Try again.', error)
    throw error
  }
}

async function rotate(context: Context, session: SessionRow, stored: StoredTokens): Promise<RefreshResult> {
  const renewed = await renew(context, session, stored)
  const tokens = { token: newToken(), refresh: newToken() }
  const expiresAt = isoTime(context, limits.sessionLifetime)
  const rotated = await rotateSession(context.store.shared, session.id, session.refresh_hash, {
    token_hash: hashToken(tokens.token),
    refresh_hash: hashToken(tokens.refresh),
    previous_refresh_hash: session.refresh_hash,
    rotated_at: isoTime(context, 0),
    provider_tokens: encryptTokens(context, { ...renewed.stored, repeat: tokens }),
    is_admin: renewed.isAdmin,
    permissions: renewed.permissions,
    expires_at: expiresAt,
    refresh_expires_at: isoTime(context, limits.refreshLifetime),
  })
  renewals.delete(session.refresh_hash)
  if (!rotated) throw expired()
  return { tokens, expiresAt, idToken: renewed.stored.idToken }
}

/**
 * Provider tokens not yet stored, by refresh hash. The old refresh token is already invalid, so losing the new one in a
 * short store outage would sign the user out.
 */
const renewals = new Map<string, Renewed>()
const maxRenewals = 10_000

function cacheRenewal(refreshHash: string, renewal: Renewed): void {
  const [oldest] = renewals.keys()
  if (renewals.size >= maxRenewals && oldest !== undefined) renewals.delete(oldest)
  renewals.set(refreshHash, renewal)
}

/**
 * A repeat within the window serves a caller whose answer was lost; a later one indicates a stolen token. If storing
 * the tokens failed, no answer was sent, so the age does not matter.
 */
async function repeat(
  context: Context,
  session: SessionRow,
  stored: StoredTokens,
  hash: string,
): Promise<RefreshResult> {
  const wasUnstored = renewals.delete(hash)
  const since = session.rotated_at === null ? Infinity : context.now() - Date.parse(session.rotated_at)
  if ((since > limits.refreshRepeatWindow && !wasUnstored) || stored.repeat === undefined) {
    await revokeSession(context.store.shared, session.id, isoTime(context, 0))
    context.log.warn({ user: session.user_id, session: session.id }, 'refresh token reused, session revoked')
    throw expired()
  }
  return { tokens: stored.repeat, expiresAt: session.expires_at, idToken: stored.idToken }
}

type Renewal = { stored: StoredTokens; isAdmin: number; permissions: string | null }

/** Renews the provider's tokens and derives the current permissions. A rejection by the provider ends the session. */
async function renew(context: Context, session: SessionRow, stored: StoredTokens): Promise<Renewal> {
  const renewed = await endSessionIfRejected(context, session, async () => {
    if (stored.refreshToken === null) return endSession(context, session)
    return renewals.get(session.refresh_hash) ?? (await context.oidc.renew(context.publicUrl, stored.refreshToken))
  })
  // Saved before any further call: the store or provider may fail next, and these tokens are issued only once.
  cacheRenewal(session.refresh_hash, renewed)
  const claims = await endSessionIfRejected(context, session, () => context.oidc.claimsOf(context.publicUrl, renewed))
  const tokens = {
    idToken: renewed.idToken || stored.idToken,
    accessToken: renewed.accessToken,
    refreshToken: renewed.refreshToken,
  }
  if (claims === null) return { stored: tokens, isAdmin: session.is_admin, permissions: session.permissions }
  const profile = profileOf(context, claims)
  const user = await userById(context.store.shared, session.user_id)
  if (user !== undefined) await saveProfile(context, user.issuer, profile)
  const permissions = profile.permissions === null ? null : JSON.stringify(profile.permissions)
  return { stored: tokens, isAdmin: profile.isAdmin ? 1 : 0, permissions }
}

async function endSessionIfRejected<T>(context: Context, session: SessionRow, request: () => Promise<T>): Promise<T> {
  return request().catch(async (error: unknown) => {
    if (error instanceof ApiError && error.status === 400) {
      await revokeSession(context.store.shared, session.id, isoTime(context, 0))
      throw expired(error)
    }
    throw error
  })
}

/** Without a refresh token, the user's access can no longer be verified. */
async function endSession(context: Context, session: SessionRow): Promise<never> {
  await revokeSession(context.store.shared, session.id, isoTime(context, 0))
  throw expired()
}

function expired(detail?: unknown): ApiError {
  return unauthenticated(messages.session.expired, detail)
}
