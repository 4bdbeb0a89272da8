import { signIn } from '@cadmus/model/contract/sso'
import { messages } from '@cadmus/model/messages'
import * as z from 'zod'
import { profileOf, rememberProfile } from '../../auth/profile.ts'
import { at, cookieNames, openSession, setSessionCookies, ssoPath } from '../../auth/session.ts'
import { hashToken, sameText } from '../../auth/tokens.ts'
import { describeSession } from '../../auth/user-answer.ts'
import { ApiError } from '../../errors/api-error.ts'
import { handle, type RequestContext } from '../../http/route.ts'
import { spendSignIn } from '../../store/session.ts'

const departureSchema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), end: z.string() })

export const signInRoute = handle(signIn, async ({ query }, request) => {
  const { context } = request
  const departure = departureOf(request)
  if (query.state === '') throw stateMismatch(messages.session.stateMissing)
  if (departure === null || !sameText(departure.state, query.state)) throw stateMismatch(messages.session.stateWrong)
  request.clearCookie(cookieNames.signIn, ssoPath)
  // State and nonce work once, and no longer than their cookie, whoever kept a copy of it.
  const now = at(context, 0)
  const isOpen = departure.end > now
  if (!isOpen || !(await spendSignIn(context.store.shared, hashToken(departure.state), { now, end: departure.end }))) {
    throw stateMismatch(messages.session.stateWrong)
  }
  const arrival = await context.oidc.arrive(context.publicUrl, query.code, departure)
  const profile = profileOf(context, arrival.claims)
  const userId = await rememberProfile(context, arrival.issuer, profile)
  const { session, tokens } = await openSession(context, userId, profile, arrival)
  setSessionCookies(request, tokens)
  return describeSession(context, session, undefined)
})

/** What `authorize` kept in this browser; null when it is gone, too old or not ours. */
function departureOf(request: RequestContext) {
  const text = request.context.secrets.open(request.cookie(cookieNames.signIn) ?? '')
  return text === undefined ? null : (departureSchema.safeParse(JSON.parse(text)).data ?? null)
}

function stateMismatch(message: string): ApiError {
  return new ApiError(401, 'state_mismatch', message)
}
