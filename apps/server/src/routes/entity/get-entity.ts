import { getEntity } from '@cadmus/model/contract/entity'
import { handle } from '../../http/route.ts'
import { entityAnswer } from './entity-answer.ts'

export const getEntityRoute = handle(getEntity, async ({ params, query }, request) => {
  const withResolved = query.typeAttributeFilter === 'ALL'
  const { entity, hash } = await entityAnswer(request, params.id, { version: query.version, withResolved })
  request.setEtag(hash)
  return { entity }
})
