import type { RelationshipBase } from '../../commands/entity/relationships.ts'
import type { RequestContext } from '../../http/route.ts'

export function baseOf({ ifMatch }: RequestContext, entityId: number): RelationshipBase {
  return { entityId, ifMatch: ifMatch ?? '' }
}
