import { createToken, listTokens, revokeToken, type TokenAnswer } from '@cadmus/model/contract/token'
import { hashToken, newPersonalToken } from '../auth/session.ts'
import { isoTime } from '../clock.ts'
import { changeOf } from '../commands/change.ts'
import { createToken as create } from '../commands/create-token.ts'
import { notFound } from '../errors/api-error.ts'
import { handle, type Route } from '../http/route.ts'
import { type PersonalTokenRow, revokeToken as revoke, tokensOfUser } from '../store/user.ts'

export const tokenRoutes: Route[] = [
  handle(listTokens, async (_input, { context, who, organisation }) => {
    const rows = await tokensOfUser(context.store.shared, who.userId, organisation.id)
    return { tokens: rows.map(tokenAnswer) }
  }),
  /** The secret is part of this answer only and stored nowhere. */
  handle(createToken, async ({ body }, request) => {
    const { context, who, organisation } = request
    const secret = newPersonalToken()
    const row = await create(changeOf(request), { ...body, hash: hashToken(secret) }, context.now())
    const { id, name, access, is_admin: isAdmin, expires_at: expiresAt } = row
    context.log.info(
      {
        user: who.userId,
        organisation: organisation.code,
        token: { id, name, access, isAdmin: isAdmin === 1, expiresAt },
      },
      'access token created',
    )
    return { token: tokenAnswer(row), secret }
  }),
  /** The token is rejected from the next request on, on every server. */
  handle(revokeToken, async ({ params }, { context, who, organisation }) => {
    const target = { id: params.id, userId: who.userId, organisationId: organisation.id }
    const revoked = await revoke(context.store.shared, target, isoTime(context, 0))
    if (revoked === undefined) throw notFound('The access token')
    context.log.info({ user: who.userId, organisation: organisation.code, token: revoked }, 'access token revoked')
    return { result: 'OK' as const, message: `The access token "${revoked.name}" was revoked.` }
  }),
]

/** Excludes the hash. */
function tokenAnswer(row: PersonalTokenRow): TokenAnswer {
  return {
    id: row.id,
    name: row.name,
    access: row.access,
    isAdmin: row.is_admin === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }
}
