import { relationshipFrom } from './apply-request.ts'
import type { EntityAttribute } from './entity-attribute.ts'
import type { EntityContent } from './entity.ts'
import { foldName } from './paths.ts'
import { replacedAttribute } from './rules/foreign-key-name.ts'
import { isUid, newUid } from './uid.ts'
import type { RelationshipRequest } from './contract/entity-shapes.ts'

/**
 * The content with one relationship more. A non-key type attribute of the foreign key's name becomes the foreign key: it keeps
 * its uid and its place. Nothing is judged here: ask `entityProblems` next.
 */
export function addRelationship(
  content: EntityContent,
  request: RelationshipRequest,
): { content: EntityContent; added: EntityAttribute } {
  const replaced = replacedAttribute(request.foreignKeyAttribute.typeAttributeName, content.typeAttributes)
  const added = relationshipFrom(
    request,
    replaced?.uid ?? freshUid(content, request.uid),
    undefined,
    replaced?.position ?? nextPosition(content),
  )
  const relationship = { ...added, description: added.description || (replaced?.description ?? '') }
  return {
    added: relationship,
    content: {
      ...content,
      typeAttributes: content.typeAttributes.filter(attribute => attribute !== replaced),
      entityAttributes: [...content.entityAttributes, relationship].toSorted((a, b) => a.position - b.position),
    },
  }
}

/** The content with that relationship as the request has it; its uid and place stay. */
export function changeRelationship(content: EntityContent, uid: string, request: RelationshipRequest): EntityContent {
  return {
    ...content,
    entityAttributes: content.entityAttributes.map(item =>
      item.uid === uid ? relationshipFrom(request, uid, item) : item,
    ),
  }
}

/** The content without that relationship; its foreign key's column goes with it. */
export function removeRelationship(content: EntityContent, uid: string): EntityContent {
  return { ...content, entityAttributes: content.entityAttributes.filter(item => item.uid !== uid) }
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

/** The position after the last attribute and relationship. */
export function nextPosition({
  typeAttributes,
  entityAttributes,
}: Pick<EntityContent, 'typeAttributes' | 'entityAttributes'>): number {
  return [...typeAttributes, ...entityAttributes].reduce((next, item) => Math.max(next, item.position + 1), 0)
}

function freshUid({ typeAttributes, entityAttributes }: EntityContent, wanted: string | undefined): string {
  if (wanted === undefined || !isUid(wanted)) return newUid()
  return [...typeAttributes, ...entityAttributes].some(item => item.uid === wanted) ? newUid() : wanted
}
