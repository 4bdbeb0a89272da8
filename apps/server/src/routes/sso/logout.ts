import { signOut } from '@cadmus/model/contract/sso'
import { at, clearSessionCookies, cookieNames, openTokens } from '../../auth/session.ts'
import { hashToken } from '../../auth/tokens.ts'
import { handle, type RequestContext } from '../../http/route.ts'
import { revokeSession, sessionByRefreshHash, type SessionRow } from '../../store/session.ts'

/** Ends the session here and says where it ends at the provider. Signing out without a session succeeds too. */
export const logoutRoute = handle(signOut, async (_input, request) => {
  const { context } = request
  const session = request.session ?? (await sessionOfRefreshCookie(request))
  if (session !== null) await revokeSession(context.store.shared, session.id, at(context, 0))
  clearSessionCookies(request)
  const idToken = session === null ? '' : (openTokens(context, session)?.idToken ?? '')
  const url = await context.oidc.departForGood(context.publicUrl, idToken)
  return { url: url.href }
})

async function sessionOfRefreshCookie(request: RequestContext): Promise<SessionRow | null> {
  const { context } = request
  const refresh = request.cookie(cookieNames.refresh)
  if (refresh === undefined) return null
  return (await sessionByRefreshHash(context.store.shared, hashToken(refresh), at(context, 0))) ?? null
}
