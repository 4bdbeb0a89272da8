import { refreshSession } from '@cadmus/model/contract/sso'
import { refreshSession as refresh } from '../../auth/refresh.ts'
import { clearSessionCookies, cookieNames, setSessionCookies } from '../../auth/session.ts'
import { ApiError, unauthenticated } from '../../errors/api-error.ts'
import { handle } from '../../http/route.ts'

/** Sets new cookies for the page; returns tokens to a caller that sends its refresh token. */
export const refreshRoute = handle(refreshSession, async ({ query }, request) => {
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
})
