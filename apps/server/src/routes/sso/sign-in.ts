import { signIn } from '@cadmus/model/contract/sso'
import { messages } from '@cadmus/model/messages'
import * as z from 'zod'
import { profileOf, saveProfile } from '../../auth/profile.ts'
import { isoTime, openSession, setSessionCookies, signInCookie, ssoPath } from '../../auth/session.ts'
import { hashToken, sameText } from '../../auth/tokens.ts'
import { describeSession } from '../../auth/user-answer.ts'
import { ApiError } from '../../errors/api-error.ts'
import { handle, type RequestContext } from '../../http/route.ts'
import { revokeSession, markSignInCompleted } from '../../store/session.ts'
import { currentSession } from './current-session.ts'

const signInRequestSchema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), end: z.string() })

export const signInRoute = handle(signIn, async ({ query }, request) => {
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
})

/** Returns the values stored by `authorize`; null if missing, expired or invalid. */
function pendingSignIn(request: RequestContext, state: string) {
  const text = request.context.secrets.decrypt(request.cookie(signInCookie(state)) ?? '')
  return text === undefined ? null : (signInRequestSchema.safeParse(JSON.parse(text)).data ?? null)
}

function stateMismatch(message: string): ApiError {
  return new ApiError(401, 'state_mismatch', message)
}
