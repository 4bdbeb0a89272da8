import { organisationHeader } from '@cadmus/model/contract/routes'
import { getSession } from '@cadmus/model/contract/sso'
import { cookieNames } from '../../auth/session.ts'
import { describeSession } from '../../auth/user-answer.ts'
import { unauthenticated } from '../../errors/api-error.ts'
import { handle } from '../../http/route.ts'

/** Requires both cookies of the session. */
export const sessionRoute = handle(getSession, async (_input, request) => {
  const { context, session } = request
  if (session === null || request.cookie(cookieNames.refresh) === undefined) throw unauthenticated()
  return describeSession(context, session, request.header(organisationHeader))
})
