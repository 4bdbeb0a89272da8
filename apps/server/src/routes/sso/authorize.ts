import { authorize } from '@cadmus/model/contract/sso'
import { limits } from '@cadmus/model/limits'
import { at, cookieNames, ssoPath } from '../../auth/session.ts'
import { handle } from '../../http/route.ts'

/** Keeps verifier and nonce where no script can read them until the browser is back. */
export const authorizeRoute = handle(authorize, async (_input, request) => {
  const { context } = request
  const { url, state, nonce, verifier } = await context.oidc.depart(context.publicUrl)
  const departure = context.secrets.close(
    JSON.stringify({ state, nonce, verifier, end: at(context, limits.signInLifetime) }),
  )
  request.setCookie(cookieNames.signIn, departure, {
    path: ssoPath,
    lifetime: limits.signInLifetime,
    httpOnly: true,
  })
  return { url: url.href, state }
})
