import { revokeToken } from '@cadmus/model/contract/token'
import { isoTime } from '../../auth/session.ts'
import { notFound } from '../../errors/api-error.ts'
import { handle } from '../../http/route.ts'
import { revokeToken as revoke } from '../../store/personal-token.ts'

/** The token is rejected from the next request on, on every server. */
export const revokeTokenRoute = handle(revokeToken, async ({ params }, { context, who, organisation }) => {
  const target = { id: params.id, userId: who.userId, organisationId: organisation.id }
  const revoked = await revoke(context.store.shared, target, isoTime(context, 0))
  if (revoked === undefined) throw notFound('The access token')
  context.log.info({ user: who.userId, organisation: organisation.code, token: revoked }, 'access token revoked')
  return { result: 'OK' as const, message: `The access token "${revoked.name}" was revoked.` }
})
