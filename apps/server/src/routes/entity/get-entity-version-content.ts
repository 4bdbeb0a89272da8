import { getEntityVersionContent } from '@cadmus/model/contract/entity-version'
import { handle } from '../../http/route.ts'
import { entityAnswer } from './entity-answer.ts'

export const getEntityVersionContentRoute = handle(getEntityVersionContent, async ({ params, query }, request) => {
  const { entity } = await entityAnswer(request, params.id, { version: query.version, withResolved: false })
  return { entity: { CONTENT: entity.content } }
})
