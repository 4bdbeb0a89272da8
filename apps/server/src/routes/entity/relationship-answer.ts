import type { EntityAttributeAnswer } from '@cadmus/model/contract/entity-shapes'
import type { ChangedRelationship } from '../../commands/entity/relationships.ts'
import { notFound } from '../../errors/api-error.ts'
import type { RequestContext } from '../../http/route.ts'
import { entityAnswer } from './entity-answer.ts'

/** The relationship as it is after a change, with the entity's tag. */
export async function relationshipAnswer(
  request: RequestContext,
  entityId: number,
  { uid }: ChangedRelationship,
): Promise<{ entityAttribute: EntityAttributeAnswer }> {
  const { entity, hash } = await entityAnswer(request, entityId, { withResolved: false })
  const entityAttribute = entity.entityAttributes.find(relationship => relationship.uid === uid)
  if (!entityAttribute) throw notFound('The relationship')
  request.setEtag(hash)
  return { entityAttribute }
}
