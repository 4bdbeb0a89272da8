import type { RelationshipBase } from '../../commands/entity/relationships.ts'
import type { RequestContext } from '../../http/route.ts'

/** The entity of a relationship call and the state that the call is based on. */
export function baseOf({ ifMatch }: RequestContext, entityId: number): RelationshipBase {
  return { entityId, ifMatch: ifMatch ?? '' }
}
