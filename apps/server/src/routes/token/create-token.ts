import { createToken } from '@cadmus/model/contract/token'
import { hashToken, newPersonalToken } from '../../auth/tokens.ts'
import { changeOf } from '../../commands/change.ts'
import { createToken as create } from '../../commands/token/create-token.ts'
import { handle } from '../../http/route.ts'
import { tokenAnswer } from './token-answer.ts'

/** The secret is part of this answer only and stored nowhere. */
export const createTokenRoute = handle(createToken, async ({ body }, request) => {
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
})
