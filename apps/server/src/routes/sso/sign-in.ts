import { signIn } from '@cadmus/model/contract/sso'
import { messages } from '@cadmus/model/messages'
import * as z from 'zod'
import { profileOf, rememberProfile } from '../../auth/profile.ts'
import { cookieNames, openSession, setSessionCookies, ssoPath } from '../../auth/session.ts'
import { sameText } from '../../auth/tokens.ts'
import { describeSession } from '../../auth/user-answer.ts'
import { ApiError } from '../../errors/api-error.ts'
import { handle, type RequestContext } from '../../http/route.ts'

const departureSchema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string() })

export const signInRoute = handle(signIn, async ({ query }, request) => {
  const { context } = request
  const departure = departureOf(request)
  if (query.state === '') throw stateMismatch(messages.session.stateMissing)
  if (departure === null || !sameText(departure.state, query.state)) throw stateMismatch(messages.session.stateWrong)
  request.clearCookie(cookieNames.signIn, ssoPath)
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
  return text === undefined ? null : departureSchema.parse(JSON.parse(text))
}

function stateMismatch(message: string): ApiError {
  return new ApiError(401, 'state_mismatch', message)
}
