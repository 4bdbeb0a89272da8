import type { EntityAttributeAnswer } from '@cadmus/model/contract/entity-shapes'
import type { ChangedRelationship } from '../../commands/entity/relationships.ts'
import type { RequestContext } from '../../http/route.ts'
import { foundRelationship } from './entity-answer.ts'

/** The relationship as it is after a change, with the entity's tag. */
export async function relationshipAnswer(
  request: RequestContext,
  entityId: number,
  { uid }: ChangedRelationship,
): Promise<{ entityAttribute: EntityAttributeAnswer }> {
  return { entityAttribute: await foundRelationship(request, entityId, uid) }
}
