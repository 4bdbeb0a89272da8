import { signOut } from '@cadmus/model/contract/sso'
import { isoTime, clearSessionCookies, decryptTokens } from '../../auth/session.ts'
import { handle } from '../../http/route.ts'
import { revokeSession } from '../../store/session.ts'
import { currentSession } from './current-session.ts'

/** Ends the session and returns the provider's sign-out URL. Succeeds without a session too. */
export const logoutRoute = handle(signOut, async (_input, request) => {
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
})
