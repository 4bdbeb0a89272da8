import { authorize } from '@cadmus/model/contract/sso'
import { limits } from '@cadmus/model/limits'
import { isoTime, cookieNames, signInCookie, ssoPath } from '../../auth/session.ts'
import { handle, type RequestContext } from '../../http/route.ts'

/** Stores verifier and nonce in an encrypted cookie, invisible to scripts, until the callback. */
export const authorizeRoute = handle(authorize, async (_input, request) => {
  const { context } = request
  const { url, state, nonce, verifier } = await context.oidc.startSignIn(context.publicUrl)
  const signInRequest = context.secrets.encrypt(
    JSON.stringify({ state, nonce, verifier, end: isoTime(context, limits.signInLifetime) }),
  )
  clearAbandonedSignIns(request)
  request.setCookie(signInCookie(state), signInRequest, {
    path: ssoPath,
    lifetime: limits.signInLifetime,
    httpOnly: true,
  })
  return { url: url.href, state }
})

/** Deletes the cookies of abandoned sign-ins, which would exceed the size limit of a request. */
function clearAbandonedSignIns(request: RequestContext): void {
  const open = request.cookieNames().filter(name => name.startsWith(cookieNames.signIn))
  if (open.length < limits.signInsAtOnce) return
  for (const name of open) request.clearCookie(name, ssoPath)
}
