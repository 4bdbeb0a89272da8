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

// What the relationship calls mean, as edits. Nothing is judged here: ask `entityProblems` next.

/**
 * One relationship more. A non-key type attribute of the foreign key's name becomes the foreign key: it keeps its uid and its
 * place.
 */
export function relationshipAdded(
  content: EntityContent,
  request: RelationshipRequest,
): { edits: EntityEdit[]; item: EntityAttribute } {
  const replaced = replacedAttribute(request.foreignKeyTypeAttribute ?? '', content.typeAttributes)
  const uid = replaced?.uid ?? freshUid(content, request.uid)
  const made = relationshipFrom(request, uid, undefined, replaced?.position ?? nextPosition(content))
  const item = { ...made, description: made.description || (replaced?.description ?? '') }
  const next = content.entityAttributes.find(other => other.position > item.position)
  const added: EntityEdit = { kind: 'addRelationships', added: [{ item, before: next?.uid ?? null }] }
  return { item, edits: replaced ? [{ kind: 'removeAttributes', uids: [uid] }, added] : [added] }
}

/** That relationship as the request has it; its uid and place stay. */
export function relationshipChanged(content: EntityContent, uid: string, request: RelationshipRequest): EntityEdit[] {
  const entityAttributes = content.entityAttributes.map(item =>
    item.uid === uid ? relationshipFrom(request, uid, item) : item,
  )
  return entityEditsBetween(content, { ...content, entityAttributes })
}

/** Without that relationship; its foreign key's column goes with it. */
export function relationshipRemoved(uid: string): EntityEdit[] {
  return [{ kind: 'removeRelationships', uids: [uid] }]
}

/** Which relationship a call means: to that entity, by its foreign key's name. */
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

function freshUid(content: EntityContent, wanted: string | undefined): string {
  if (wanted === undefined || !isUid(wanted)) return newUid()
  const taken = [content, ...content.typeAttributes, ...content.entityAttributes]
  return taken.some(({ uid }) => uid === wanted) ? newUid() : wanted
}
