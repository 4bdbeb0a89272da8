import { isoTime, cookieNames } from '../../auth/session.ts'
import { hashToken } from '../../auth/tokens.ts'
import type { RequestContext } from '../../http/route.ts'
import { sessionByRefreshHash, type SessionRow } from '../../store/session.ts'

/** Returns this browser's session, even if only its refresh token is still valid. */
export async function currentSession(request: RequestContext): Promise<SessionRow | null> {
  if (request.session !== null) return request.session
  const { context } = request
  const refresh = request.cookie(cookieNames.refresh)
  if (refresh === undefined) return null
  return (await sessionByRefreshHash(context.store.shared, hashToken(refresh), isoTime(context, 0))) ?? null
}
