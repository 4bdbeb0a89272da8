import { listTokens } from '@cadmus/model/contract/token'
import { handle } from '../../http/route.ts'
import { tokensOfUser } from '../../store/personal-token.ts'
import { tokenAnswer } from './token-answer.ts'

export const listTokensRoute = handle(listTokens, async (_input, { context, who, organisation }) => {
  const rows = await tokensOfUser(context.store.shared, who.userId, organisation.id)
  return { tokens: rows.map(tokenAnswer) }
})
