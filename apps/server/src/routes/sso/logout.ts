import { signOut } from '@cadmus/model/contract/sso'
import { at, clearSessionCookies, openTokens } from '../../auth/session.ts'
import { handle } from '../../http/route.ts'
import { revokeSession } from '../../store/session.ts'
import { sessionAtHand } from './session-at-hand.ts'

/** Ends the session and returns the provider's sign-out URL. Succeeds without a session too. */
export const logoutRoute = handle(signOut, async (_input, request) => {
  const { context } = request
  const session = await sessionAtHand(request)
  if (session !== null) {
    await revokeSession(context.store.shared, session.id, at(context, 0))
    context.log.info({ user: session.user_id, session: session.id }, 'signed out')
  }
  clearSessionCookies(request)
  const idToken = session === null ? '' : (openTokens(context, session)?.idToken ?? '')
  const url = await context.oidc.departForGood(context.publicUrl, idToken)
  return { url: url?.href ?? null }
})
