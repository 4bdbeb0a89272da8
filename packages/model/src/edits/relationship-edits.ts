import { assignPositions, type Placed } from '../apply-positions.ts'
import { relationshipFrom } from '../apply-request.ts'
import type { RelationshipRequest } from '../contract/entity-shapes.ts'
import type { EntityAttribute } from '../entity-attribute.ts'
import type { EntityContent } from '../entity.ts'
import { foldName } from '../paths.ts'
import { replacedAttribute } from '../rules/foreign-key-name.ts'
import { isUid, newUid } from '../uid.ts'
import { nextPosition } from './attribute-edits.ts'
import type { EntityEdit } from './entity-edit.ts'
import { entityEditsBetween } from './edits-between.ts'

// Edits for the relationship calls, without validation; check the result with `entityProblems`.

/**
 * Adds a relationship. A non-key type attribute with the foreign key's name is replaced; the relationship keeps its uid and, unless one is
 * requested, its position.
 */
export function addRelationshipEdits(
  content: EntityContent,
  request: RelationshipRequest,
): { edits: EntityEdit[]; item: EntityAttribute } {
  const replaced = replacedAttribute(request.foreignKeyTypeAttribute ?? '', content.typeAttributes)
  const uid = replaced?.uid ?? freshUid(content, request.uid)
  const made = relationshipFrom(request, uid)
  const described = { ...made, description: made.description || (replaced?.description ?? '') }
  const requested = request.position ?? replaced?.position ?? nextPosition(content)
  const { first: typeAttributes, second: entityAttributes } = assignPositions(
    content.typeAttributes.filter(item => item !== replaced).map(asPlaced),
    [...content.entityAttributes.map(asPlaced), { value: described, requested, before: replaced?.position }],
  )
  const item = entityAttributes.find(other => other.uid === uid) ?? described
  const next = entityAttributes.toSorted((a, b) => a.position - b.position)
  return { item, edits: entityEditsBetween(content, { ...content, typeAttributes, entityAttributes: next }) }
}

function asPlaced<T extends { position: number }>(value: T): Placed<T> {
  return { value, requested: value.position, before: value.position }
}

/** Changes the relationship as requested; uid and position are unchanged. */
export function changeRelationshipEdits(
  content: EntityContent,
  uid: string,
  request: RelationshipRequest,
): EntityEdit[] {
  const entityAttributes = content.entityAttributes.map(item =>
    item.uid === uid ? relationshipFrom(request, uid, item) : item,
  )
  return entityEditsBetween(content, { ...content, entityAttributes })
}

/** Removes the relationship with its foreign key column. */
export function removeRelationshipEdits(uid: string): EntityEdit[] {
  return [{ kind: 'removeRelationships', uids: [uid] }]
}

/** The relationship addressed by a call: by target entity and foreign key name. */
export function findRelationship(
  content: EntityContent,
  associatedEntityId: number,
  foreignKey: string,
): EntityAttribute | undefined {
  const name = foldName(foreignKey)
  return content.entityAttributes.find(
    item => item.associatedEntity.id === associatedEntityId && foldName(item.foreignKeyTypeAttribute) === name,
  )
}

function freshUid(content: EntityContent, requested: string | undefined): string {
  if (requested === undefined || !isUid(requested)) return newUid()
  const used = [content, ...content.typeAttributes, ...content.entityAttributes]
  return used.some(({ uid }) => uid === requested) ? newUid() : requested
}
