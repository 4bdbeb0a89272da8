import { getEntityVersionContent } from '@cadmus/model/contract/entity'
import { handle } from '../../http/route.ts'
import { answerEntityContent } from './entity-answer.ts'

export const getEntityVersionContentRoute = handle(getEntityVersionContent, async ({ params, query }, request) => {
  return answerEntityContent(request, params.id, query.version)
})
