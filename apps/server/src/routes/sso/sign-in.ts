import { signIn } from '@cadmus/model/contract/sso'
import { messages } from '@cadmus/model/messages'
import * as z from 'zod'
import { profileOf, rememberProfile } from '../../auth/profile.ts'
import { at, openSession, setSessionCookies, signInCookie, ssoPath } from '../../auth/session.ts'
import { hashToken, sameText } from '../../auth/tokens.ts'
import { describeSession } from '../../auth/user-answer.ts'
import { ApiError } from '../../errors/api-error.ts'
import { handle, type RequestContext } from '../../http/route.ts'
import { revokeSession, spendSignIn } from '../../store/session.ts'
import { sessionAtHand } from './session-at-hand.ts'

const departureSchema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), end: z.string() })

export const signInRoute = handle(signIn, async ({ query }, request) => {
  const { context } = request
  const departure = departureOf(request, query.state)
  if (query.state === '') throw stateMismatch(messages.session.stateMissing)
  if (departure === null || !sameText(departure.state, query.state)) throw stateMismatch(messages.session.stateWrong)
  // State and nonce are valid once and only as long as their cookie, even for copies of it.
  const now = at(context, 0)
  const times = { now, end: departure.end }
  const isSpent = times.end > now && (await spendSignIn(context.store.shared, hashToken(departure.state), times))
  // Cleared only now: if the store failed, the sign-in is not used up and can be repeated.
  request.clearCookie(signInCookie(query.state), ssoPath)
  if (!isSpent) throw stateMismatch(messages.session.stateWrong)
  const arrival = await context.oidc.arrive(context.publicUrl, query.code, departure)
  const profile = profileOf(context, arrival.claims)
  const userId = await rememberProfile(context, arrival.issuer, profile)
  const before = await sessionAtHand(request)
  const { session, tokens } = await openSession(context, userId, profile, arrival)
  // The browser no longer holds the tokens of the previous session.
  if (before !== null) await revokeSession(context.store.shared, before.id, now)
  setSessionCookies(request, tokens)
  context.log.info({ user: userId, session: session.id }, 'signed in')
  return describeSession(context, session, undefined)
})

/** Returns the values stored by `authorize`; null if missing, expired or invalid. */
function departureOf(request: RequestContext, state: string) {
  const text = request.context.secrets.open(request.cookie(signInCookie(state)) ?? '')
  return text === undefined ? null : (departureSchema.safeParse(JSON.parse(text)).data ?? null)
}

function stateMismatch(message: string): ApiError {
  return new ApiError(401, 'state_mismatch', message)
}
