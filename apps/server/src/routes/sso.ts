import * as z from 'zod'
import { organisationHeader } from '@cadmus/model/contract/routes'
import { authorize, beginOnboarding, getSession, refreshSession, signIn, signOut } from '@cadmus/model/contract/sso'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { profileOf, saveProfile } from '../auth/profile.ts'
import { refreshSession as refresh } from '../auth/refresh.ts'
import {
  clearSessionCookies,
  cookieNames,
  decryptTokens,
  hashToken,
  openSession,
  sameText,
  setSessionCookies,
  signInCookie,
  ssoPath,
} from '../auth/session.ts'
import { isoTime } from '../clock.ts'
import { describeSession } from '../auth/user-answer.ts'
import { ApiError, unauthenticated } from '../errors/api-error.ts'
import { handle, type RequestContext, type Route } from '../http/route.ts'
import {
  beginOnboarding as begin,
  markSignInCompleted,
  revokeSession,
  sessionByRefreshHash,
  type SessionRow,
} from '../store/user.ts'

export const ssoRoutes: Route[] = [
  /** Stores verifier and nonce in an encrypted cookie, invisible to scripts, until the callback. */
  handle(authorize, async (_input, request) => {
    const { context } = request
    const { url, state, nonce, verifier } = await context.oidc.startSignIn(context.publicUrl)
    const signInRequest = context.secrets.encrypt(
      JSON.stringify({ state, nonce, verifier, end: isoTime(context, limits.signInLifetime) }),
    )
    clearAbandonedSignIns(request)
    request.setCookie(signInCookie(state), signInRequest, {
      path: ssoPath,
      lifetime: limits.signInLifetime,
      httpOnly: true,
    })
    return { url: url.href, state }
  }),
  handle(signIn, async ({ query }, request) => {
    const { context } = request
    const signInRequest = pendingSignIn(request, query.state)
    if (query.state === '') throw stateMismatch(messages.session.stateMissing)
    if (signInRequest === null || !sameText(signInRequest.state, query.state))
      throw stateMismatch(messages.session.stateWrong)
    // State and nonce are valid once and only as long as their cookie, even for copies of it.
    const now = isoTime(context, 0)
    const times = { now, end: signInRequest.end }
    const isFirstUse =
      times.end > now && (await markSignInCompleted(context.store.shared, hashToken(signInRequest.state), times))
    // Cleared only now: if the store failed, the sign-in is not used up and can be repeated.
    request.clearCookie(signInCookie(query.state), ssoPath)
    if (!isFirstUse) throw stateMismatch(messages.session.stateWrong)
    const signInResult = await context.oidc.completeSignIn(context.publicUrl, query.code, signInRequest)
    const profile = profileOf(context, signInResult.claims)
    const userId = await saveProfile(context, signInResult.issuer, profile)
    const before = await currentSession(request)
    const { session, tokens } = await openSession(context, userId, profile, signInResult)
    // The browser no longer holds the tokens of the previous session.
    if (before !== null) await revokeSession(context.store.shared, before.id, now)
    setSessionCookies(request, tokens)
    context.log.info({ user: userId, session: session.id }, 'signed in')
    return describeSession(context, session, undefined)
  }),
  /** Sets new cookies for the page; returns tokens to a caller that sends its refresh token. */
  handle(refreshSession, async ({ query }, request) => {
    const { context } = request
    if (query.refreshToken !== undefined) {
      const { tokens, expiresAt, idToken } = await refresh(context, query.refreshToken)
      const eccOAuthToken = { id_token: idToken, access_token: tokens.token, refresh_token: tokens.refresh }
      return { expiresAt, eccOAuthToken }
    }
    const cookie = request.cookie(cookieNames.refresh)
    if (cookie === undefined) throw unauthenticated()
    try {
      const { tokens, expiresAt } = await refresh(context, cookie)
      setSessionCookies(request, tokens)
      return { expiresAt }
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) clearSessionCookies(request)
      throw error
    }
  }),
  /** Ends the session and returns the provider's sign-out URL. Succeeds without a session too. */
  handle(signOut, async (_input, request) => {
    const { context } = request
    const session = await currentSession(request)
    if (session !== null) {
      await revokeSession(context.store.shared, session.id, isoTime(context, 0))
      context.log.info({ user: session.user_id, session: session.id }, 'signed out')
    }
    clearSessionCookies(request)
    const idToken = session === null ? '' : (decryptTokens(context, session)?.idToken ?? '')
    const url = await context.oidc.signOutUrl(context.publicUrl, idToken)
    return { url: url?.href ?? null }
  }),
  /** Requires both cookies of the session. */
  handle(getSession, async (_input, request) => {
    const { context, session } = request
    if (session === null || request.cookie(cookieNames.refresh) === undefined) throw unauthenticated()
    return describeSession(context, session, request.header(organisationHeader))
  }),
]

export const onboardingRoutes: Route[] = [
  /**
   * Marks the tour as started for the user, so that it never starts again, on any machine. A page closed during the tour
   * continues it from the browser's own storage.
   */
  handle(beginOnboarding, async (_input, { context, who }) => ({
    first: await begin(context.store.shared, who.userId, isoTime(context, 0)),
  })),
]

/** Deletes the cookies of abandoned sign-ins, which would exceed the size limit of a request. */
function clearAbandonedSignIns(request: RequestContext): void {
  const open = request.cookieNames().filter(name => name.startsWith(cookieNames.signIn))
  if (open.length < limits.signInsAtOnce) return
  for (const name of open) request.clearCookie(name, ssoPath)
}

const signInRequestSchema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), end: z.string() })

/** Returns the values stored by `authorize`; null if missing, expired or invalid. */
function pendingSignIn(request: RequestContext, state: string) {
  const text = request.context.secrets.decrypt(request.cookie(signInCookie(state)) ?? '')
  return text === undefined ? null : (signInRequestSchema.safeParse(JSON.parse(text)).data ?? null)
}

function stateMismatch(message: string): ApiError {
  return new ApiError(401, 'state_mismatch', message)
}

/** Returns this browser's session, even if only its refresh token is still valid. */
async function currentSession(request: RequestContext): Promise<SessionRow | null> {
  if (request.session !== null) return request.session
  const { context } = request
  const refresh = request.cookie(cookieNames.refresh)
  if (refresh === undefined) return null
  return (await sessionByRefreshHash(context.store.shared, hashToken(refresh), isoTime(context, 0))) ?? null
}
