import {
  addRelationship,
  changeRelationship,
  findRelationship,
  removeRelationship,
} from '@cadmus/model/apply-relationship'
import type { RelationshipRequest } from '@cadmus/model/contract/entity-shapes'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import type { EntityContent } from '@cadmus/model/entity'
import { mayEditAttributes } from '@cadmus/model/locks'
import { notFound } from '../../errors/api-error.ts'
import { referenceLookup, refreshed } from '../../store/entity-refresh.ts'
import { type Change, transact } from '../change.ts'
import { entityState, requireAllowed, requireEntity } from './entity-state.ts'
import { placesInRelationship } from './invalid-entity.ts'
import { storeContent } from './store-content.ts'

/** Which relationship of an entity: to that entity, by its foreign key's name. */
export type RelationshipName = { associatedEntityId: number; foreignKey: string }

/** `uid` is the relationship's, `hash` the entity's new state. */
export type ChangedRelationship = { uid: string; hash: string }

export async function createRelationship(
  change: Change,
  entityId: number,
  request: RelationshipRequest,
): Promise<ChangedRelationship> {
  return changeContent(change, entityId, request.version, content => {
    const { content: next, added } = addRelationship(content, request)
    return { next, uid: added.uid }
  })
}

export async function updateRelationship(
  change: Change,
  entityId: number,
  name: RelationshipName,
  request: RelationshipRequest,
): Promise<ChangedRelationship> {
  return changeContent(change, entityId, request.version, content => {
    const { uid } = requireRelationship(content, name)
    return { next: changeRelationship(content, uid, request), uid }
  })
}

export async function deleteRelationship(
  change: Change,
  entityId: number,
  name: RelationshipName,
): Promise<ChangedRelationship> {
  return changeContent(change, entityId, undefined, content => {
    const { uid } = requireRelationship(content, name)
    return { next: removeRelationship(content, uid), uid }
  })
}

/** One change of the present state, whatever that is: it names what it means, so it needs no base. */
async function changeContent(
  change: Change,
  entityId: number,
  version: string | undefined,
  apply: (content: EntityContent) => { next: EntityContent; uid: string },
): Promise<ChangedRelationship> {
  return transact(change, 2, async (tx, work) => {
    const entity = await requireEntity(tx, change.organisationId, entityId)
    requireAllowed(mayEditAttributes(entityState(entity, version)))
    const lookup = await referenceLookup(tx, change.organisationId, [entity.content])
    const current = { ...entity, content: refreshed(entity.content, lookup) }
    const { next, uid } = apply(current.content)
    return { uid, hash: await storeContent(tx, change, work, { current, next, places: placesInRelationship }) }
  })
}

function requireRelationship(
  content: EntityContent,
  { associatedEntityId, foreignKey }: RelationshipName,
): EntityAttribute {
  const found = findRelationship(content, associatedEntityId, foreignKey)
  if (!found) throw notFound('The relationship')
  return found
}
