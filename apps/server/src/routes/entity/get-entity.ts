import { getEntity } from '@cadmus/model/contract/entity'
import { handle } from '../../http/route.ts'
import { answerEntity } from './entity-answer.ts'

export const getEntityRoute = handle(getEntity, async ({ params, query }, request) => {
  const withResolved = query.typeAttributeFilter === 'ALL'
  return answerEntity(request, params.id, { version: query.version, withResolved })
})
